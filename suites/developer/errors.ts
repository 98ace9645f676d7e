import { at, isObject, walk } from '../../common/json.ts';
import { show } from '../../common/words.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { notMetOf } from '../../results/drift.ts';
import type { RecordedResponse } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { type Checks, resultOrNull } from '../engine/check.ts';
import { isUnread } from '../engine/judge-responses.ts';
import { judgeUnknownIds } from '../records/unknown-ids.ts';
import { isDocumented, jsonTypeOf, judgeEvery, judgeServerErrors, judgeStatuses } from '../shared/every-response.ts';
import { judgeUnknownPath } from '../shared/refusals/refusals.ts';
import { judgeBrokenBodies, judgeNotAnObject } from './calls/refused-bodies.ts';
import { twinOf } from './calls/twins.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { keysPath } from './keys/run-key.ts';
import { mainKeyStory } from './keys/stories.ts';
import { isFilled, isRefusal, seedPath } from './seeding.ts';

/** Errors: codes and statuses, broken bodies, unknown ids and paths. */
export const errors: Checks = {
  'developer.errors.code': judgeEvery({
    // Those for whose status the document lists a code, and whose body may have one.
    applies: (one) =>
      String(one.response.status) in developerErrorCodes && (isObject(one.response.json) || isUnread(one)),
    expected: 'the code that the document lists for the status',
    place: '/error',
    trouble: ({ response }) => codeTrouble(response),
  }),

  'developer.errors.status-known': async (session, tally) => {
    // Which status a sandbox that is seeded gives to another seeding is open.
    const mayRefuse = (await resultOrNull(isFilled(session))) === true;
    await judgeStatuses({
      expected: 'a success, or one of 400, 401, 403, 404, 429, 500',
      isKnown: (status) => (status >= 200 && status <= 299) || String(status) in developerErrorCodes,
      applies: (one) =>
        isDocumented(one) && !(mayRefuse && one.endpoint === `POST ${seedPath}` && isRefusal(one.response.status)),
    })(session, tally);
  },

  'developer.errors.no-server-error': judgeServerErrors,

  // Field names of errors by status, and whether all are alike.
  'developer.errors.shape': async ({ evidence }) => {
    const errors = evidence.responses.flatMap(({ response: { status, json } }) => {
      const error = at(json, '/error');
      const fields = walk(error).filter(({ value }) => typeof value !== 'object' || value === null);
      const shape = fields.map(({ pointer }) => pointer).sort();
      return status >= 400 && isObject(error) ? [{ status, shape: shape.join(' ') }] : [];
    });
    if (errors.length === 0) {
      const message = 'No failure of this run has an error object';
      throw new Inconclusive({ message, blames: 'developer.envelope.error-on-failure' });
    }
    const shapesOf = (some: typeof errors): string[] => [...new Set(some.map(({ shape }) => shape))].sort();
    const byStatus = [...Map.groupBy(errors, ({ status }) => status)].map(([status, some]) => [status, shapesOf(some)]);
    return {
      // Keys that are numbers come in ascending order, whatever the order of insertion.
      fields: { ...notMetOf(Object.keys(developerErrorCodes)), ...Object.fromEntries(byStatus) },
      alike: shapesOf(errors).length === 1,
    };
  },

  'developer.errors.malformed-json': judgeBrokenBodies,
  'developer.errors.not-an-object': judgeNotAnObject,

  // An unknown key id gets 404 on the three calls that name one: the id of a deleted key, and a made-up one.
  'developer.errors.not-found': async (session, tally) => {
    const { made: own, deletion } = await mainKeyStory(session);
    await judgeUnknownIds(session, tally, {
      collection: keysPath,
      real: own.id,
      deleted: deletion().answer.accepted ? { id: own.id } : null,
      mayDeleteAgain: true,
      purpose: 'refusal',
      calls: [`GET ${keysPath}/:id/usage`, `POST ${keysPath}/:id/rotate`, `DELETE ${keysPath}/:id`].map((endpoint) => ({
        endpoint,
        twin: async () => (await twinOf(session, endpoint)).answer,
      })),
    });
  },

  'developer.errors.unknown-path': async (session, tally) =>
    judgeUnknownPath(session, tally, {
      expected: 'the envelope with error.code NOT_FOUND',
      module: '/api/v1/ads',
      others: (await keysOfBothEnvironments(session, `GET ${keysPath}`)).slice(1),
      wrongMethod: { method: 'GET', path: '/api/v1/inbox/draft' },
    }),
};

// --- The error object

/**
 * What is wrong with a refusal's code, in the words of a finding. The code may be in any field of the error, whose
 * shape is "not shown": `error.code is "INSUFFICIENT_SCOPE"; a 403 needs FORBIDDEN`. null: nothing.
 */
export function codeTrouble({ status, json }: Pick<RecordedResponse, 'status' | 'json'>) {
  const error = at(json, '/error');
  const expected = developerErrorCodes[status] ?? 'no code';
  const values = isObject(error) ? walk(error) : [];
  // What looks like a code: one word, best in a field that is called so.
  const words = values.filter(({ value }) => typeof value === 'string' && /^[A-Z_]+$/i.test(value));
  const shown = words.find(({ name }) => /code/i.test(name)) ?? words[0];
  // Else a longer text may contain it: `"UNAUTHORIZED: the key is not valid"`, a URI that ends with it.
  const within = new RegExp(`(?<![A-Za-z_])${expected}(?![A-Za-z_])`);
  const isSaid = walk({ error }).some(({ value }) => typeof value === 'string' && within.test(value));
  // That an error is no object is for developer.envelope.error-on-failure to say.
  if (values.some(({ name, value }) => value === expected || name === expected) || (shown === undefined && isSaid)) {
    return null;
  }
  const lack = isObject(error) ? 'error has no code' : `error is ${jsonTypeOf(error)}`;
  const came = shown && `error${shown.pointer.replaceAll('/', '.')} is ${show(shown.value, 40)}`;
  const summary = `${came ?? lack}; a ${status} needs ${expected}`;
  return {
    kind: summary,
    summary,
    expected,
    actual: show(shown === undefined ? error : shown.value, 80),
    place: `/error${shown?.pointer ?? ''}`,
  };
}

import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { invalidApiKey, workspaceStatuses } from '../../contract/errors.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { notMetOf } from '../../results/drift.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { isUnread } from '../engine/judge-responses.ts';
import { judgeEach, settle } from '../engine/parts.ts';
import { workingRead } from '../records/reads.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { isFailure, judgeField, judgeServerErrors, ofWrongType } from '../shared/every-response.ts';
import { nearMissKeys, neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { bodyNull, cutOff, judgeOddBodies, type OddBody } from '../shared/refusals/odd-bodies.ts';
import { judgeUnknownPath } from '../shared/refusals/stray-calls.ts';
import { judgeUnknownRecords } from './unknown-records.ts';

/** Whether it is a failure whose body is a JSON object, or was not read. Each clause judges one field of its error. */
const isFailureWithBody = (one: Answered): boolean => isFailure(one) && (isObject(one.response.json) || isUnread(one));

/** Errors: the error body on every failure, and the calls that should get one. */
export const errors: Checks = {
  'workspace.errors.body': judgeField({
    place: '/error',
    expected: 'an object',
    applies: (one) => isFailure(one) && (one.response.json !== undefined || isUnread(one)),
    trouble: (error) => (isObject(error) ? null : ofWrongType(error)),
  }),

  'workspace.errors.code': judgeField({
    place: '/error/code',
    expected: 'a non-empty string',
    applies: isFailureWithBody,
    trouble: (code) => {
      if (typeof code === 'string') {
        return code === '' ? 'empty' : null;
      }
      return ofWrongType(code);
    },
  }),
  'workspace.errors.message': judgeField({
    place: '/error/message',
    expected: 'a string',
    applies: isFailureWithBody,
    trouble: (message) => (typeof message === 'string' ? null : ofWrongType(message)),
  }),
  'workspace.errors.status': judgeField({
    place: '/error/status',
    expected: 'an integer equal to the HTTP status',
    applies: isFailureWithBody,
    trouble: (value, { response }) => {
      if (typeof value === 'number') {
        return value === response.status ? null : { kind: 'another number', value: String(value) };
      }
      return ofWrongType(value);
    },
  }),
  'workspace.errors.invalid-api-key': async (session) => {
    const labels = labelsOfUnknownKeys(session);
    if (!session.evidence.responses.some(({ keyLabel }) => labels.includes(keyLabel ?? ''))) {
      // No other clause of the run tries an unknown key.
      const [key] = neverIssuedKeys(session);
      await settle(workingRead(session).then(({ id }) => send(session, id, { key, purpose: 'refusal' })));
    }
    const judge = judgeField({
      place: '/error/code',
      expected: invalidApiKey,
      applies: (one) => isFailureWithBody(one) && one.response.status === 401 && labels.includes(one.keyLabel ?? ''),
      trouble: (code) => (code === invalidApiKey ? null : show(code, 60)),
    });
    return judge(session);
  },

  'workspace.errors.codes': async (session) => {
    const failures = session.evidence.responses.filter((one) => isFailureWithBody(one) && !isUnread(one));
    if (failures.length === 0) {
      throw new Inconclusive({ message: 'No call of this run failed' });
    }
    return observed(codesByStatus(failures));
  },

  'workspace.errors.no-server-error': judgeServerErrors,

  'workspace.errors.bad-request': (session) => judgeBody(session, withBodies, cutOff),
  'workspace.errors.not-an-object': (session) => judgeBody(session, withNull, bodyNull),

  'workspace.errors.not-found': judgeUnknownRecords,

  'workspace.errors.unknown-path': (session) =>
    judgeUnknownPath(session, {
      expected: 'an error object with code, message and status',
      isOwnForm: ({ error }) => isObject(error),
      wrongMethod: { method: 'PUT', path: '/v1/agents' },
      oversized: 'POST /v1/agents',
    }),
};

const withBodies = workspaceEndpoints.filter(({ body }) => body !== undefined);

/** One of the two PATCH calls is enough here: broken bodies are tried on both. */
const withNull = withBodies.filter(({ id }) => id !== 'PATCH /v1/agents/:id');

/** A body gets 400 on each of the calls. */
const judgeBody = (session: Session, endpoints: readonly Endpoint[], body: OddBody): Promise<Outcome> =>
  judgeEach(endpoints, async (tally, endpoint) =>
    judgeOddBodies(tally, await session.api.arrange(session, endpoint, 'a broken body'), [body]),
  );

/** The labels of keys that were never issued. An empty key is none. */
const labelsOfUnknownKeys = (session: Session): string[] =>
  [...neverIssuedKeys(session), ...nearMissKeys(session)].flatMap(({ label, secret }) =>
    secret === '' ? [] : [label],
  );

/** The codes that came with each status: the documented ones, met or not, and any other that was met. */
function codesByStatus(failures: readonly Answered[]): Record<string, unknown> {
  const byStatus = Map.groupBy(failures, ({ response }) => response.status);
  const met = [...byStatus].map(([status, all]) => {
    const codes = all.map((exchange) => show(at(exchange.response.json, '/error/code'), 60).replace(/^"|"$/g, ''));
    return [status, [...new Set(codes)].sort()];
  });
  return {
    ...notMetOf(workspaceStatuses.filter((status) => status >= 400).map((status) => String(status))),
    ...Object.fromEntries(met),
  };
}

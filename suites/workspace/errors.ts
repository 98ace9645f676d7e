import { at, isObject, renamed } from '../../common/json.ts';
import { show } from '../../common/words.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { invalidApiKey, workspaceStatuses } from '../../contract/errors.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { notMetOf } from '../../results/drift.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { type Check, type Checks, resultOrNull, settle } from '../engine/check.ts';
import { isUnread } from '../engine/judge-responses.ts';
import { workingRead } from '../records/reads.ts';
import { type IdCalls, judgeUnknownIds } from '../records/unknown-ids.ts';
import { type CallDetails, isSuccess } from '../session/call.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { type Session, send } from '../session/session.ts';
import {
  isDocumented,
  isFailure,
  judgeField,
  judgeJson,
  judgeServerErrors,
  judgeStatuses,
  ofWrongType,
} from '../shared/every-response.ts';
import { nearMissKeys, neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import {
  bodyNull,
  continued,
  cutOff,
  judgeOddBodies,
  judgeUnknownPath,
  type OddBody,
} from '../shared/refusals/refusals.ts';
import { storyOf } from './events/webhook-story.ts';
import { isReadable, type Kind, kindOf, kinds, pathOf } from './records/creating.ts';
import { firstOf, reworded } from './records/run-records.ts';
import type { Change } from './stories/changes.ts';
import { type Deletion, detailView } from './stories/record-story.ts';

/** Whether it is a failure whose body is a JSON object, or was not read. Each clause judges one field of its error. */
const isFailureWithBody = (one: Answered): boolean => isFailure(one) && (isObject(one.response.json) || isUnread(one));

/** A check of one field of the error on every failure. */
function judgeErrorField(name: string, expected: string, trouble: Parameters<typeof judgeField>[0]['trouble']): Check {
  return judgeField({ place: `/error/${name}`, expected, applies: isFailureWithBody, trouble });
}

/** Responses and errors: every response, the error body on every failure, and the calls that should get one. */
export const errors: Checks = {
  'workspace.responses.json': judgeJson({
    object: false,
    // These have no body by nature. They are judged by success-status, or by the clause of their call.
    isExempt: ({ response: { status } }) => status === 204 || (status >= 300 && status <= 399),
  }),

  'workspace.responses.success-status': judgeStatuses({
    expected: '200 or 201',
    isKnown: (status) => status === 200 || status === 201,
    applies: (one) => isSuccess(one.response) || (one.response.status === 304 && isDocumented(one)),
  }),

  'workspace.responses.created-status': async (session, tally) => {
    // No other clause of the run may create anything.
    await firstOf(session, 'agents');
    // Other successes are judged by success-status. A call that should have been refused may have created nothing.
    const applies = ({ endpoint, purpose, response: { status } }: Answered): boolean =>
      endpoint?.startsWith('POST ') === true && purpose === 'documented' && (status === 200 || status === 201);
    if (!session.evidence.responses.some(applies)) {
      throw new Inconclusive({ message: 'Nothing was created in this run', blames: 'workspace.auth.bearer' });
    }
    await judgeStatuses({ expected: '201', isKnown: (status) => status === 201, applies })(session, tally);
  },

  'workspace.responses.status-known': judgeStatuses({
    expected: `one of ${workspaceStatuses.join(', ')}`,
    isKnown: (status) => workspaceStatuses.includes(status),
  }),

  'workspace.errors.body': judgeField({
    place: '/error',
    expected: 'an object',
    applies: (one) => isFailure(one) && (one.response.json !== undefined || isUnread(one)),
    trouble: (error) => (isObject(error) ? null : ofWrongType(error)),
  }),

  'workspace.errors.code': judgeErrorField('code', 'a non-empty string', (code) =>
    code === '' ? 'empty' : typeof code === 'string' ? null : ofWrongType(code),
  ),
  'workspace.errors.message': judgeErrorField('message', 'a string', (message) =>
    typeof message === 'string' ? null : ofWrongType(message),
  ),
  'workspace.errors.status': judgeErrorField('status', 'an integer equal to the HTTP status', (value, { response }) =>
    typeof value === 'number' && value !== response.status
      ? { kind: 'another number', value: String(value) }
      : typeof value === 'number'
        ? null
        : ofWrongType(value),
  ),
  'workspace.errors.invalid-api-key': async (session, tally) => {
    const [first, ...keys] = [...neverIssuedKeys(session), ...nearMissKeys(session)];
    // No other clause of the run may try an unknown key.
    await settle(workingRead(session).then(({ id }) => send(session, id, { key: first, purpose: 'refusal' })));
    // An empty key is none.
    const labels = [first, ...keys].flatMap(({ label, secret }) => (secret === '' ? [] : [label]));
    await judgeField({
      place: '/error/code',
      expected: invalidApiKey,
      applies: (one) => isFailureWithBody(one) && one.response.status === 401 && labels.includes(one.keyLabel ?? ''),
      trouble: (code) => (code === invalidApiKey ? null : show(code, 60)),
    })(session, tally);
  },

  'workspace.errors.codes': async (session) => {
    const failures = session.evidence.responses.filter((one) => isFailureWithBody(one) && !isUnread(one));
    if (failures.length === 0) {
      throw new Inconclusive({ message: 'No call of this run failed' });
    }
    return codesByStatus(failures);
  },

  'workspace.errors.no-server-error': judgeServerErrors,

  'workspace.errors.bad-request': async (session, tally) => {
    await judgeBodies(session, tally, withBodies, [cutOff, continued]);
    await settle(sendWrongType(session));
  },
  'workspace.errors.not-an-object': (session, tally) => judgeBodies(session, tally, withNull, [bodyNull]),

  // With the id of a deleted record, and with one that was never given out.
  'workspace.errors.not-found': (session, tally) =>
    tally.each(kinds, async (kind) => judgeUnknownIds(session, tally, await idCalls(session, kind))),

  'workspace.errors.unknown-path': (session, tally) =>
    judgeUnknownPath(session, tally, {
      expected: 'an error object with code, message and status',
      wrongMethod: { method: 'PUT', path: '/v1/agents' },
    }),
};

const withBodies = workspaceEndpoints.filter(({ body }) => body !== undefined);

/** One of the two PATCH calls is enough here: broken bodies are tried on both. */
const withNull = withBodies.filter(({ id }) => id !== 'PATCH /v1/agents/:id');

/** Each of the calls gets 400 for one of these bodies, in turn. */
const judgeBodies = (
  session: Session,
  tally: Tally,
  endpoints: readonly Endpoint[],
  bodies: readonly OddBody[],
): Promise<void> =>
  tally.each(endpoints, async (endpoint, index) => {
    const call = await session.api.arrange(session, endpoint, 'a broken body');
    return judgeOddBodies(tally, call, [bodies[index % bodies.length] as OddBody]);
  });

/**
 * Creates an agent whose first text is an object instead. The document shows no types, so that any answer but a 5xx may
 * be right: it is judged by the clauses about every response. Only an agent, since what takes it can be deleted.
 */
async function sendWrongType(session: Session): Promise<void> {
  const call = await session.api.arrange(session, endpointOf('POST /v1/agents'), 'a field of another type');
  const reshape = (body: unknown): unknown => {
    const [name = '', value] = Object.entries(body as object).find(([, one]) => typeof one === 'string') ?? [];
    return { ...(body as object), [name]: { value } };
  };
  await call.send({ purpose: 'documented', reshape });
}

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

/** The calls that name a record of a kind, and the ids with which they are made. */
async function idCalls(session: Session, kind: Kind): Promise<IdCalls> {
  const deletionOf = async (): Promise<Deletion> => (await storyOf(session, kind)).deletion();
  const changeOf = async (): Promise<Change> => (await storyOf(session, kind)).change();
  const deletion = await resultOrNull(deletionOf());
  const naming = workspaceEndpoints.filter((one) => kindOf(one) === kind && one.path.includes(':id'));
  return {
    collection: pathOf(kind),
    real: isReadable(kind) ? (await detailView(session, kind)).id : (await deletionOf()).record.id,
    // A deployment may keep cancelled bookings: their ids are not unknown.
    deleted:
      deletion !== null && kind !== 'bookings' && isSuccess(deletion.answer)
        ? { id: deletion.record.id, later: deletion.later, isListed: !deletion.isGone }
        : null,
    mayDeleteAgain: false,
    purpose: 'documented',
    calls: naming.map(({ id: endpoint, method }) => ({
      endpoint,
      twin: async () => {
        const known = method === 'GET' ? detailView(session, kind) : null;
        return (await (known ?? (method === 'PATCH' ? changeOf() : deletionOf()))).answer;
      },
      ...(method === 'PATCH' && { details: async (id: string) => changeUnder(session, await changeOf(), id) }),
    })),
  };
}

/** A change of the record with an id, in new words: a wrong effect must not be taken for that of another change. */
const changeUnder = (session: Session, { body, record }: Change, id: string): CallDetails => ({
  // The body may have to name the id that is in the path.
  body: renamed(reworded(session, { body, tag: record.tag }).body, [record.id, ...record.aliases], id),
});

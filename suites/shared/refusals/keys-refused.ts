import { withArticle } from '../../../common/words.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { type Check, settle } from '../../engine/check.ts';
import { describeAnswer, expectStatus } from '../../engine/expect.ts';
import { isPlainRead, read, readWithoutKey, workingRead } from '../../records/reads.ts';
import type { ArrangedCall } from '../../session/api.ts';
import { type Answer, type ApiKey, callOf, isSuccess, type KeyMode } from '../../session/call.ts';
import { mainKey, type Session, send, step } from '../../session/session.ts';
import { nearMissKeys, neverIssuedKeys } from './never-issued.ts';
import { judgeRefusal, withParameter } from './refusals.ts';

/** A call without a key, or with one that must be refused. */
interface BadCall {
  readonly key: ApiKey | null;
  /** Default: the usual one. */
  readonly mode?: KeyMode | undefined;
}

/** What is sent, for findings: `A call with an empty key in the query`. A label is a setting, or a description. */
const whatOf = ({ key, mode }: BadCall): string => {
  const how = key === null ? 'without a key' : `with ${/^[A-Z]/.test(key.label) ? key.label : withArticle(key.label)}`;
  return `A call ${how}${mode === undefined ? '' : ` in the ${mode}`}`;
};

/** Sends a bad call. Without a key, a plain read is the one that the whole run shares. */
const sendBad = (session: Session, call: ArrangedCall, { key, mode }: BadCall): Promise<Answer> =>
  key === null && isPlainRead(call.endpoint)
    ? readWithoutKey(session, call.endpoint)
    : call.send(mode === undefined ? { key } : { key, mode });

/** The outcome, and the answers, for the clauses on what a refused write leaves behind. */
type RefusalResults = Awaited<ReturnType<typeof judgeRefusals>>;

/**
 * Judges that each bad call gets 401 on each endpoint, beside its twin. Sends them once that harms no other clause.
 * `label` is in the records that are made for them; `badCalls` gives those of the endpoint with an index.
 */
export async function judgeRefusals(
  session: Session,
  label: string,
  badCalls: (index: number) => readonly BadCall[],
  endpoints: readonly Endpoint[] = session.api.endpoints,
) {
  const probes: { readonly endpoint: Endpoint; readonly probe: Answer }[] = [];
  const tally = createTally();
  await tally.each(endpoints, async (endpoint, index) => {
    const call = await session.api.arrange(session, endpoint, label);
    const twin = await call.twin();
    await session.until('badKeys');
    for (const bad of badCalls(index)) {
      const probe = await sendBad(session, call, bad);
      // What an empty key gets is wrong only if a missing key does not get it.
      const isCovered = bad.key?.secret === '' && probe.status !== 401;
      if (!isCovered || (await sendBad(session, call, { key: null })).status !== probe.status) {
        probes.push({ endpoint, probe });
        judgeRefusal(tally, { probe, twin, endpoint, status: 401, what: whatOf(bad) });
        if (endpoint.method === 'DELETE' && isSuccess(probe)) {
          // The record is deleted: further calls would not find it.
          break;
        }
      }
    }
  });
  return { outcome: tally.outcome({ calls: probes.length, endpoints: endpoints.length }), probes };
}

/** Labels of the bad calls, which are in the bodies that they send. */
export const refusedLabels = { missing: 'a missing key', invalid: 'an invalid key' } as const;

/** Each key in each documented way of sending one; undefined: the usual way. */
const inEachMode = ({ api }: Session, keys: readonly ApiKey[]): readonly BadCall[] =>
  keys.flatMap((key) => [undefined, ...api.keyModes.slice(1)].map((mode) => ({ key, mode })));

/**
 * Keys that were never issued, each in each mode, on one endpoint that works. They come before all other bad calls: a
 * deployment may refuse further ones for a while, and each form and mode is worth more than one more endpoint.
 */
const firstRefusals = step(async (session): Promise<RefusalResults> => {
  const bad = inEachMode(session, neverIssuedKeys(session));
  return judgeRefusals(session, refusedLabels.invalid, () => bad, [await workingRead(session)]);
});

/** Each documented call without a key. */
export const refusalsWithoutKey = step(async (session) => {
  await settle(firstRefusals(session));
  return judgeRefusals(session, refusedLabels.missing, () => [{ key: null }]);
});

/**
 * Keys that were never issued: after those, each other documented call with every key in the usual mode, and in
 * each other mode with one of them, in turns. And keys that only a careless lookup accepts, on the endpoint that works:
 * all endpoints share one comparison of keys.
 */
export const refusalsOfInvalidKeys = step(async (session): Promise<readonly RefusalResults[]> => {
  const onFirst = await firstRefusals(session);
  const first = await workingRead(session);
  const keys = neverIssuedKeys(session);
  const ofEach = (index: number): readonly BadCall[] => [
    ...keys.map((key) => ({ key })),
    ...inEachMode(session, [keys[index % keys.length] as ApiKey]).slice(1),
  ];
  const nearMisses = [...nearMissKeys(session), ...((await session.api.idsAsKeys?.(session)) ?? [])];
  const others = session.api.endpoints.filter((endpoint) => endpoint !== first);
  const further = await Promise.all([
    judgeRefusals(session, refusedLabels.invalid, ofEach, others),
    judgeRefusals(session, refusedLabels.invalid, () => inEachMode(session, nearMisses), [first]),
  ]);
  return [onFirst, ...further];
});

/**
 * A check: every documented endpoint refuses a call without a key with 401. With a parameter it does not accept one
 * either, whatever it gets. A call whose path names a record is made without parameters alone.
 */
export const judgeMissingKey: Check = async (session, tally) => {
  const { outcome } = await refusalsWithoutKey(session);
  tally.add(outcome);
  const reads = withParameter(session.api.endpoints.filter(({ path }) => !path.includes(':')));
  await tally.inTurn(reads, async ({ id, query }) => {
    const probe = await send(session, id, { key: null, query, purpose: 'refusal' });
    // A refusal proves nothing here: it has no twin.
    if (probe.accepted) {
      tally.judge(expectStatus(probe, 401, 'A call without a key, but with a parameter'));
    }
  });
  return outcome.observed;
};

/** A check: every documented endpoint refuses keys that were never issued with 401. */
export const judgeInvalidKey: Check = async (session, tally) => {
  const results = await refusalsOfInvalidKeys(session);
  for (const { outcome } of results) {
    tally.add(outcome);
  }
  const calls = results.reduce((sum, { probes }) => sum + probes.length, 0);
  return { calls, endpoints: session.api.endpoints.length };
};

/**
 * Why no pass of this run can be trusted; null: passes can be trusted. They cannot where no read both accepts a call
 * with a key and refuses the same call without one, or with an unknown one. The reads are shared with the clauses on
 * each read and on missing keys, and end with the first that shows the difference.
 */
export const distrust = step(async (session): Promise<Finding | null> => {
  const { endpoints, probes, name, keyClause } = session.api;
  const others = endpoints.filter((endpoint) => isPlainRead(endpoint) && !probes.includes(endpoint.id));
  let example = '';
  let isAnyAccepted = false;
  for (const endpoint of [...probes.map(endpointOf), ...others]) {
    const [withKey, without] = await Promise.all([read(session, endpoint.id), readWithoutKey(session, endpoint)]);
    // A deployment that accepts all calls without a key may check keys all the same.
    const sendUnknown = () =>
      session.client.send(callOf(endpoint, neverIssuedKeys(session)[0], { purpose: 'refusal' }));
    if (withKey.accepted && (isRefused(without) || isRefused(await sendUnknown()))) {
      return null;
    }
    isAnyAccepted ||= withKey.accepted;
    example ||= `${endpoint.id} gets ${describeAnswer(withKey)} with ${mainKey(session).label}, ${describeAnswer(without)} without a key`;
  }
  return {
    message: `Passes cannot be trusted: the deployment answers calls with and without a key the same way: ${example}`,
    cause: 'An empty stub or a proxy in between may answer everything the same way',
    blames: isAnyAccepted ? `${name}.auth.missing-key` : keyClause,
  };
});

/** Any 4xx or 5xx but 429, which good calls get too. Whether it is the documented status is for other clauses. */
const isRefused = ({ status }: Answer): boolean => status >= 400 && status !== 429;

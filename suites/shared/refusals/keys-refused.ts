import { createTally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { judgePart } from '../../engine/parts.ts';
import type { ApiKey, KeyMode } from '../../session/key.ts';
import { step } from '../../session/step.ts';
import { isPlainRead, readWithoutKey, workingRead } from '../reads.ts';
import { fragments, nearMisses, neverIssued } from './never-issued.ts';
import { type Form, tryRefusals } from './refusals.ts';

/** A call without a key. On a plain read it is the one that the whole run shares. */
const withoutKey: Form = {
  name: 'without a key',
  send: (call, session) =>
    isPlainRead(call.endpoint) ? readWithoutKey(session, call.endpoint) : call.send({ key: null }),
};

/** A call with a key that was never issued. An empty one is no key: what a missing one gets, wrong or not, is another clause's. */
const withKey = (key: ApiKey, mode?: KeyMode): Form => ({
  name: `with ${withArticle(key.label)}${mode === undefined ? '' : ` in the ${mode}`}`,
  send: (call) => call.send(mode === undefined ? { key } : { key, mode }),
  ...(key.secret === '' ? { like: withoutKey.send } : {}),
});

const withArticle = (label: string): string =>
  /^[A-Z]/.test(label) ? label : `${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}`;

/** Labels of the calls, which stand in the bodies that they send. */
export const refusedLabels = { missing: 'a missing key', invalid: 'an invalid key' } as const;

/** Each documented call without a key. */
export const triedWithoutKey = step((session) =>
  tryRefusals(session, { label: refusedLabels.missing, forms: [withoutKey] }),
);

/**
 * Each documented call with keys that were never issued: each form in the usual mode, and one in each other mode, another for each
 * endpoint. An empty key is sent in the other modes, where a name without a value is read as something most of all.
 */
export const triedWithUnknownKeys = step((session) => {
  const keys = neverIssued(session);
  const [, ...otherModes] = session.api.keyModes;
  const isEmpty = ({ secret }: ApiKey): boolean => secret === '' && otherModes.length > 0;
  const [empty, usual] = [keys.filter(isEmpty), keys.filter((key) => !isEmpty(key))];
  return tryRefusals(session, {
    label: refusedLabels.invalid,
    forms: (index) => [
      ...usual.map((key) => withKey(key)),
      ...otherModes.flatMap((mode) => {
        const byTurns = [...usual.map((key) => withKey(key, mode)), ...empty.map((key) => withKey(key))];
        return [...empty.map((key) => withKey(key, mode)), byTurns[index % byTurns.length] as Form];
      }),
    ],
  });
});

/**
 * What only a slack lookup takes, and the other forms in other modes, on one endpoint that works: one comparison of keys
 * serves all endpoints.
 */
export const triedWithNearMisses = step(async (session) => {
  const [, ...otherModes] = session.api.keyModes;
  await session.badKeys;
  const ids = (await session.api.idsAsKeys?.(session)) ?? [];
  const misses = [...nearMisses(session), ...fragments(session), ...ids];
  const forms = [
    ...misses.flatMap((key) => [withKey(key), ...otherModes.map((mode) => withKey(key, mode))]),
    ...otherModes.flatMap((mode) => neverIssued(session).map((key) => withKey(key, mode))),
  ];
  const endpoints = [await workingRead(session)];
  return tryRefusals(session, { label: refusedLabels.invalid, forms, endpoints });
});

/** Every documented endpoint refuses a call without a key with 401. */
export const judgeMissingKey: Check = async (session) => (await triedWithoutKey(session)).outcome;

/** Every documented endpoint refuses keys that were never issued with 401. */
export const judgeInvalidKey: Check = async (session) => {
  const tally = createTally();
  let calls = 0;
  for (const tried of [triedWithUnknownKeys, triedWithNearMisses]) {
    await judgePart(tally, async () => {
      const { outcome, probes } = await tried(session);
      tally.add(outcome);
      calls += probes.length;
    });
  }
  return tally.outcome({ calls, endpoints: session.api.endpoints.length });
};

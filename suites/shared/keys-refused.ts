import { createTally } from '../../results/outcome.ts';
import type { Check } from '../engine/check.ts';
import { judgePart } from '../engine/parts.ts';
import type { ApiKey, KeyMode } from '../session/key.ts';
import { nearMisses, neverIssued } from './never-issued.ts';
import { isPlainRead, readWithoutKey, workingRead } from './reads.ts';
import { type Form, judgeRefusals } from './refusals.ts';

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

/** Every documented endpoint refuses a call without a key with 401. */
export const judgeMissingKey: Check = (session) =>
  judgeRefusals(session, { label: 'a missing key', status: 401, forms: [withoutKey] });

/**
 * Every documented endpoint refuses keys that were never issued with 401: each form in the usual mode, and one in each
 * other mode, another for each endpoint. Since one comparison of keys serves all endpoints, what only a slack one takes,
 * and the other forms in other modes, are tried on one endpoint that works.
 */
export const judgeInvalidKey: Check = async (session) => {
  const keys = neverIssued(session);
  const [, ...otherModes] = session.api.keyModes;
  const tally = createTally();
  tally.add(
    await judgeRefusals(session, {
      label: 'an invalid key',
      status: 401,
      forms: (_, index) => [
        ...keys.map((key) => withKey(key)),
        ...otherModes.map((mode) => withKey(keys[index % keys.length] as ApiKey, mode)),
      ],
    }),
  );
  await judgePart(tally, async () => {
    const forms = [
      ...nearMisses(session).map((key) => withKey(key)),
      ...otherModes.flatMap((mode) => keys.map((key) => withKey(key, mode))),
    ];
    const endpoints = [await workingRead(session)];
    tally.add(await judgeRefusals(session, { label: 'an invalid key', status: 401, forms, endpoints }));
  });
  return tally.outcome();
};

import { createSemaphore } from '../../common/semaphore.ts';
import { withArticle } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { type KeyType, keyLimits, minuteAt, perMinuteOf } from '../../contract/limits.ts';
import { scopes, scopesWithout } from '../../contract/scopes.ts';
import { firstNumber, headersOfLimit } from '../../limits/judge/headers.ts';
import { notMet } from '../../results/drift.ts';
import { atMoment, type Checks, resultOrNull } from '../engine/check.ts';
import { describeAnswer } from '../engine/expect.ts';
import { isPlainRead, workingRead } from '../records/reads.ts';
import { type Answer, type ApiKey, type Call, callOf } from '../session/call.ts';
import { mainKey, requireKey, type Session, send, step } from '../session/session.ts';
import { limitChecks } from '../shared/limits/checks.ts';
import { type Drive, deleteCall, driveOver, exchangeSample, plainCall } from '../shared/limits/drive.ts';
import { neverIssuedKeys } from '../shared/refusals/never-issued.ts';
import { remarked, twinOf } from './calls/twins.ts';
import { dropKey, makeKey } from './keys/making.ts';
import { keysPath, tryKey, workingWrite } from './keys/run-key.ts';
import { mainKeyStory } from './keys/stories.ts';

/** The number in X-RateLimit-Remaining of a key's minute, or the first where that is not told. NaN: there is none. */
function remainingOf({ exchange }: Answer): number {
  const sample = exchangeSample(exchange, '');
  const [ofMinute] = Object.values(keyLimits).flatMap(({ perMinute }) => headersOfLimit(sample, perMinute) ?? []);
  return firstNumber((ofMinute ?? sample).remaining) ?? Number.NaN;
}

const callsBetween = 3;

/**
 * How far the Remaining of a key fell with some calls in between, and what the last of them got. `fall` is null where
 * the headers do not show it. Tries three times: within half a window, at most one try meets the end of a window.
 */
async function fallWith(session: Session, key: ApiKey, call: () => Promise<Answer>) {
  let last = '';
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await tryKey(session, key);
    for (let made = 0; made < callsBetween; made += 1) {
      last = describeAnswer(await call());
    }
    const after = await tryKey(session, key);
    const fall = remainingOf(before) - remainingOf(after) - 1;
    const lasted = after.exchange.receivedAt - before.exchange.sentAt;
    if (fall >= 0 && lasted < minuteAt(session.settings.CLOCK_SPEED) / 2) {
      return { fall, last };
    }
  }
  return { fall: null, last };
}

/**
 * How far the Remaining of a new key falls with calls of another one, which a given key may have to wait for; and with
 * calls of its own that are refused, by status. The content module refuses it.
 */
const fallsOfRemaining = step(async (session) => {
  // Other calls may draw on its budget, too.
  await session.until('quiet');
  const counting = await makeKey(session, 'for counting', scopesWithout('content'));
  // An account may have no room for a second key.
  const second = await resultOrNull(makeKey(session, 'beside counting', scopes));
  const { key } = counting;
  const ofOther = await fallWith(session, key, () => tryKey(session, second?.key ?? mainKey(session)));
  const { id } = (await mainKeyStory(session)).made;
  const purpose = 'refusal';
  const refused: Readonly<Record<number, () => Promise<Answer>>> = {
    400: () => send(session, 'POST /api/v1/inbox/draft', { body: {}, key, purpose }),
    401: () => tryKey(session, neverIssuedKeys(session)[0], { purpose }),
    403: () => send(session, 'GET /api/v1/content/posts', { key, purpose }),
    404: () => send(session, `GET ${keysPath}/:id/usage`, { id, key, purpose }),
  };
  const counted: Record<string, string> = {};
  for (const [status, call] of Object.entries(refused)) {
    const { fall, last } = await fallWith(session, key, call);
    const told = fall === null ? 'unknown: the headers do not show it' : fall > 0 ? 'counts' : 'does not count';
    counted[status] = last.startsWith(status) ? told : `not seen: ${last}`;
  }
  for (const own of [counting, ...(second === null ? [] : [second])]) {
    await dropKey(session, own);
  }
  return { ofOther: ofOther.fall, counted };
});

/** Whose budget calls use up, as the fall of a key's Remaining with calls of another one shows it. */
const budgetBy = (fall: number | null | undefined): string =>
  fall === 0 ? 'per key' : (fall ?? 0) >= callsBetween ? 'per account' : notMet;

// --- Drives

/** One drive at a time: a limiter by account or address would count the calls of two at once together. */
const turn = step(async () => createSemaphore(1));

/**
 * Drives a key of a type over its limit, when no other clause sends calls: a new one, but for enterprise keys, which
 * are given. Throws Skipped where the settings forbid it, and as `makeKey` does.
 */
const driveKey = step(async (session, type: KeyType): Promise<Drive> => {
  const ofRun = { label: `${withArticle(type)} key of this run`, origin: 'own' } as const;
  const given = type === 'enterprise' ? requireKey(session, 'ENTERPRISE_API_KEY') : null;
  session.client.assertMayExhaust(given ?? ofRun);
  await session.until('quiet');
  const budget = budgetBy((await resultOrNull(fallsOfRemaining(session)))?.ofOther);
  if (budget === 'per account') {
    session.client.assertMayExhaust(mainKey(session));
  }
  const inTurn = await turn(session);
  return inTurn(async () => {
    const own = type === 'enterprise' ? null : await makeKey(session, `${type} over the limit`, scopes, type);
    const key = own?.key ?? requireKey(session, 'ENTERPRISE_API_KEY');
    const call = callOf(await workingRead(session), key);
    // A new key may not be known at first, and calls that it refuses do not count.
    await session.clock.sleep((key.changedAt ?? -Infinity) + session.settings.KEY_SETTLE_MS - session.clock.now());
    const drive = await driveOver(session, {
      key,
      call,
      others: await otherCalls(session, key, call),
      isUnused: own !== null && budget === 'per key',
      subject: `${type} key`,
      limit: perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE),
      blames: 'developer.keys.create',
    });
    if (own !== null) {
      await dropKey(session, own);
    }
    return drive;
  });
});

/**
 * Calls besides `call` that draw on the same budget of a key, whichever endpoint is called and however the key is sent:
 * every plain read, one with a parameter, one by the key's id, one in the other mode, a write that works, and the
 * deletion of a key that nothing else needs. The client stops writes that WRITES forbids.
 */
async function otherCalls(session: Session, key: ApiKey, call: Call) {
  const reads = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.id !== call.endpoint?.id);
  const { id } = key;
  const mode = (await session.api.usualMode(session)) === 'header' ? 'query' : 'header';
  const environment = key.environment === 'sandbox' ? 'sandbox' : 'live';
  const write = await workingWrite(session);
  const twin = await resultOrNull(twinOf(session, write.id));
  const spare = await resultOrNull(makeKey(session, `${environment} beyond the limit`, scopes, environment));
  return [
    ...reads.map((endpoint) => plainCall(callOf(endpoint, key))),
    plainCall(callOf(endpointOf('GET /api/v1/ads/campaigns'), key, { query: { status: 'ENABLED' } })),
    ...(id === undefined ? [] : [plainCall(callOf(endpointOf(`GET ${keysPath}/:id/usage`), key, { id }))]),
    plainCall({ ...call, mode }, ` in ${mode} mode`),
    ...(twin?.answer.accepted
      ? [plainCall(callOf(write, key, { body: remarked(session, twin.body, key.label) }))]
      : []),
    ...(spare === null ? [] : [deleteCall(session, key, spare.record)]),
  ];
}

/** Limits. They are judged on keys that the run makes, with few requests; a day's limit takes the load scripts. */
export const limits: Checks = {
  ...limitChecks('developer', {
    // The live one needs WRITES=all, the enterprise one EXHAUST=all.
    drives: (session) => [driveKey(session, 'sandbox'), driveKey(session, 'live'), driveKey(session, 'enterprise')],
    limitsOf: ({ environment, madeFor }) =>
      environment === 'workspace' || madeFor !== undefined
        ? null
        : { subject: `${environment} key`, limits: keyLimits[environment] },
  }),

  'developer.limits.counted': atMoment('quiet', async (session) => {
    const { counted } = await fallsOfRemaining(session);
    const algorithm = (await resultOrNull(driveKey(session, 'sandbox')))?.verdict.window.algorithm;
    const over = algorithm === 'sliding log counting refusals' ? 'counts' : 'not seen to count';
    return { ...counted, 429: algorithm === undefined ? notMet : over };
  }),
  'developer.limits.key-or-account': atMoment('quiet', async (session) => {
    const { ofOther } = await fallsOfRemaining(session);
    const fell = `Remaining of one key fell by ${ofOther} with ${callsBetween} calls of another key`;
    return { budget: budgetBy(ofOther), measured: { says: ofOther === null ? 'Remaining does not show it' : fell } };
  }),
};

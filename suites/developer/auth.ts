import { show } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { type Environment, keyPrefix, scopes } from '../../contract/scopes.ts';
import { createTally, Inconclusive, type Tally } from '../../results/outcome.ts';
import { atMoment, type Check, type Checks, resultOrNull, stageOrNull } from '../engine/check.ts';
import { describeAnswer, expectAccepted, expectStatus, judgeThat, needAccepted } from '../engine/expect.ts';
import { timeToSettle } from '../records/own.ts';
import { read, workingRead } from '../records/reads.ts';
import { type Answer, type ApiKey, callOf, type KeyMode } from '../session/call.ts';
import { mainKey, type Session } from '../session/session.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { neverIssuedKeys, unknownKeyLike } from '../shared/refusals/never-issued.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { create, deleteIfMade, environmentsOf, lastingKey } from './keys/making.ts';
import { secretIn, tryKey, tryWrite, type Use, waysOf } from './keys/run-key.ts';
import { type KeyStory, keyStory, mainKeyStory, mainRotation, type RotationStory } from './keys/stories.ts';
import { judgeRefusedWrites } from './refused-writes.ts';

/** Authentication: how keys are sent, and which are refused. */
export const auth: Checks = {
  'developer.auth.header': keyAcceptedIn('header', 'X-API-Key'),
  'developer.auth.query': keyAcceptedIn('query', 'the query parameter api_key'),
  'developer.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'developer.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  // A deleted key gets 401 in both environments, on every documented call, and by each secret that it had, where it was
  // rotated. Where one use gets what a key gets that was never issued, the others prove nothing of it.
  'developer.auth.deleted-key': atMoment('badKeys', async (session, tally) => {
    const uses = createTally();
    await uses.each(environmentsOf(session), async (environment) => {
      const story = await keyStory(session, environment);
      const key = deletedKey(story);
      // No later, since a cache of a minute would be empty then.
      await session.clock.sleep(timeToSettle(session, story.deletion().answer));
      const ways = (await waysOf(session)).slice(0, mostUses);
      await judgeUses(session, uses, { key, uses: ways, what: `A deleted ${environment} key` });
    });
    await uses.part(async () => judgeSecrets(session, uses, await mainRotation(session)));
    await uses.part(async () => judgeOnEveryCall(session, uses, deletedKey(await mainKeyStory(session))));
    const outcome = uses.outcome();
    const isOpen = outcome.undecided.some(({ blames }) => blames === invalidKey);
    tally.add(isOpen ? { ...outcome, compared: 0 } : outcome);
  }),

  'developer.auth.sandbox-prefix': (session, tally) => judgePrefix(session, tally, 'sandbox'),
  'developer.auth.live-prefix': (session, tally) => judgePrefix(session, tally, 'live'),

  'developer.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),

  // Which key wins where one is sent in the header and another in the query, one of them valid.
  'developer.auth.precedence': atMoment('badKeys', async (session) => {
    const endpoint = await workingRead(session);
    await session.until('badKeys');
    const valid = mainKey(session);
    const [unknown] = neverIssuedKeys(session);
    const send = (key: ApiKey, queryKey: ApiKey): Promise<Answer> =>
      session.client.send(callOf(endpoint, key, { mode: 'header', queryKey, purpose: 'off-document' }));
    const header = await send(valid, unknown);
    const query = await send(unknown, valid);
    const ways = [header.accepted ? 'header' : '', query.accepted ? 'query' : ''].filter((one) => one !== '');
    return {
      validInHeader: describeAnswer(header),
      validInQuery: describeAnswer(query),
      wins: ways.length === 2 ? 'either, if it is valid' : (ways[0] ?? 'neither'),
    };
  }),

  'developer.auth.rotated-key': async (session) => {
    const { answer, former } = await mainRotation(session);
    needAccepted(answer, 'Key cannot be rotated', 'developer.keys.rotate');
    const { atOnce, later } = former();
    return {
      oldSecretAtOnce: describeAnswer(atOnce),
      [`oldSecretAfter${session.settings.KEY_SETTLE_MS}Ms`]: describeAnswer(later),
    };
  },

  // "Four modes are stated in total", two are shown.
  'developer.auth.other-modes': atMoment('badKeys', async (session) => {
    const endpoint = await workingRead(session);
    await session.until('badKeys');
    const key: ApiKey = { ...mainKey(session), origin: 'unknown' };
    const found: Record<string, string> = {};
    for (const mode of ['bearer', 'basic', 'cookie'] as const) {
      const answer = await session.client.send(callOf(endpoint, key, { mode, purpose: 'off-document' }));
      found[mode] = answer.accepted ? 'accepted' : `refused: ${describeAnswer(answer)}`;
    }
    return found;
  }),
};

/** A created key begins with the prefix of the environment that was asked for, whichever key makes it. */
async function judgePrefix(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { record } = (await keyStory(session, environment)).made;
  // The document does not say whether a key may make keys of the other environment.
  const other = await resultOrNull(lastingKey(session, environment === 'live' ? 'sandbox' : 'live'));
  const byOther = other && (await resultOrNull(create(session, 'by another', scopes, environment, other.key)));
  await (byOther && other && deleteIfMade(session, byOther, other.key));
  const prefix = keyPrefix[environment];
  for (const answer of [record.answer, ...(byOther?.answer.accepted ? [byOther.answer] : [])]) {
    const { value: secret = '', place = '/data' } = secretIn(answer) ?? {};
    judgeThat(tally, secret.startsWith(prefix), answer, {
      message: `New ${environment} key, made with ${answer.exchange.keyLabel}, does not begin with ${prefix}`,
      expected: `a key that starts with ${prefix}`,
      actual: show(secret.slice(0, Math.min(9, Math.floor(secret.length / 4)))),
      place,
    });
  }
}

/**
 * A key is accepted in the header, or in the query: on a read, on a read with further parameters and on a write, in
 * both environments, whose behaviour is identical. Whether each endpoint works is a clause of its own: except for the
 * first read, a refused call counts only where it is accepted in the other mode.
 */
function keyAcceptedIn(mode: 'header' | 'query', place: string): Check {
  return async (session, tally) => {
    const refused = `Key in ${place} is refused`;
    const [anyRead = ''] = session.api.probes;
    const endpoint = (await resultOrNull(workingRead(session))) ?? endpointOf(anyRead);
    const first = await read(session, endpoint.id, { mode });
    tally.judge(expectAccepted(first, refused));
    if (!first.accepted) {
      return undefined;
    }
    const [, ...live] = await keysOfBothEnvironments(session, endpoint.id);
    const query = { status: 'new', source: 'organic' };
    const calls: Record<string, (one: KeyMode) => Promise<Answer>> = {
      // Gateways that rewrite the query may lose the key, or the parameters beside it.
      ' when the query has other parameters': (one) =>
        read(session, 'GET /api/v1/developer/export/leads', { query, mode: one }),
    };
    for (const key of [mainKey(session), ...live]) {
      calls[` on a write with ${key.label}`] = (one) => tryWrite(session, key, `in the ${one}`, { mode: one });
      calls[` on a read with ${key.label}`] = (one) => read(session, endpoint.id, { key, mode: one });
    }
    await tally.inTurn(Object.entries(calls), async ([how, send]) => {
      const finding = expectAccepted(await send(mode), `${refused}${how}`);
      if (finding !== null && !(await send(mode === 'header' ? 'query' : 'header')).accepted) {
        throw new Inconclusive(finding);
      }
      tally.judge(finding);
    });
    await tally.part(async () => {
      if (mode === 'header') {
        // Header names are case-insensitive (RFC 9110, 5.1).
        const key = mainKey(session);
        const headers = { 'X-API-Key': '', 'x-api-key': key.secret };
        const answer = await session.client.send(callOf(endpoint, key, { mode, headers }));
        tally.judge(expectAccepted(answer, `${refused} if the name is spelled x-api-key`));
      }
    });
    return { calls: tally.outcome().compared, environments: 1 + live.length };
  };
}

// --- Deleted keys

const invalidKey = 'developer.auth.invalid-key';

/** The key of a story, after its deletion. Throws Inconclusive where it did not work, or was not deleted. */
function deletedKey({ firstRead, deletion, made }: KeyStory): ApiKey {
  needAccepted(firstRead(), 'Created key is refused', 'developer.keys.create');
  needAccepted(deletion().answer, 'Key cannot be deleted', 'developer.keys.delete');
  return made.key;
}

/** How many of the ways are tried right after a deletion: more refusals may lock the caller out. */
const mostUses = 6;

/** Judges that uses of a key get 401. What a key that was never issued gets too is open: no deletion is its cause. */
async function judgeUses(
  session: Session,
  tally: Tally,
  { key, uses, what }: { readonly key: ApiKey; readonly uses: readonly Use[]; readonly what: string },
): Promise<void> {
  await tally.inTurn(uses, async (use) => {
    const useWith = (one: ApiKey) => use(session, one, { purpose: 'refusal' });
    const answer = await useWith({ ...key, origin: 'unknown' });
    if (answer.status === 401) {
      tally.judge(null);
    } else if ((await useWith(unknownKeyLike(session, key))).status === answer.status) {
      const message = `Cannot judge deleted keys: a key that was never issued gets ${describeAnswer(answer)}, too`;
      tally.leaveOpen({ message, blames: invalidKey });
    } else {
      const outlives = answer.accepted ? 'Keys are cached beyond their deletion' : undefined;
      tally.judge(expectStatus(answer, 401, what, outlives));
    }
  });
}

/**
 * Every documented call refuses the deleted key with 401, every second POST in query mode. A call on one key names the
 * deleted key itself: where it is wrongly accepted, no other key is changed.
 */
async function judgeOnEveryCall(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const posts = session.api.endpoints.filter(({ method }) => method === 'POST');
  const uses = session.api.endpoints.map(
    (endpoint): Use =>
      async ({ client, api }, one, details) => {
        if (endpoint.path.includes(':id')) {
          return client.send(callOf(endpoint, one, { ...details, id: key.id ?? '' }));
        }
        const mode = posts.indexOf(endpoint) % 2 === 1 ? ({ mode: 'query' } as const) : {};
        return (await api.arrange(session, endpoint, 'a deleted key')).send({ ...mode, key: one });
      },
  );
  await session.until('badKeys');
  await judgeUses(session, tally, { key, uses, what: 'A call with a deleted key' });
}

/** Each secret of a rotated key that still worked is refused with 401 once the key is deleted. */
async function judgeSecrets(session: Session, tally: Tally, story: RotationStory): Promise<void> {
  const former = stageOrNull(story.former);
  const successor = stageOrNull(story.successor);
  const again = stageOrNull(story.again);
  const living = [
    ...(former?.later.accepted ? [former.key] : []),
    ...(successor && story.keepsRecord && stageOrNull(story.firstRead)?.accepted ? [successor.key] : []),
    ...(again?.key && story.keepsRecord && again.firstRead?.accepted ? [again.key] : []),
  ];
  if (stageOrNull(story.deletion)?.accepted) {
    await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    for (const key of living) {
      const what = 'A secret of a rotated key that was deleted';
      await judgeUses(session, tally, { key, uses: [tryKey], what });
    }
  }
}

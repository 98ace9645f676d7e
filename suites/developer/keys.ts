import { createTally, judged, observed, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn, undecided } from '../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { givenKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { judgeCreationValidation } from './support/keys/creation-validation.ts';
import { exposes } from './support/keys/exposed-secret.ts';
import {
  firstKey,
  firstKeyListing,
  firstKeyRead,
  firstKeyRefusals,
  firstKeyUsage,
  usageDays,
} from './support/keys/first-key.ts';
import { assertAccountNotFull } from './support/keys/full-account.ts';
import { mainEnvironment } from './support/keys/key-makers.ts';
import { secretIn } from './support/keys/run-key.ts';
import { firstKeyCreation } from './support/keys/scope-names.ts';
import { judgeDeletion, judgeLiveDeletion } from './support/lives/deleted-keys.ts';
import { judgeListed, judgeLiveListed } from './support/lives/listed-keys.ts';
import { liveKeyListing, liveKeyUsage, liveKeyUsageOf90Days, newLiveKeyRead } from './support/lives/live-key.ts';
import { judgeRotation } from './support/rotation/judge-rotation.ts';
import { keptByRotation } from './support/rotation/kept-by-rotation.ts';
import { rotationIn } from './support/rotation/rotation.ts';
import { listedAfterRotation } from './support/rotation/shown-scopes.ts';

type Part = (session: Session, tally: Tally) => Promise<void>;

/**
 * Judges a clause with a key of the main environment and, if that is the sandbox, with a live key, if one may be made.
 */
const inBothEnvironments =
  (main: Part, live: Part): Check =>
  (session) =>
    judgeInTurn(mainEnvironment(session) === 'live' ? [main] : [main, live], (tally, part) => part(session, tally));

/** API key management. */
export const keys: Checks = {
  'developer.keys.create': async (session) => {
    const attempt = await firstKeyCreation(session);
    const { answer } = attempt;
    const failure = expectAccepted(answer, 'Key cannot be created') ?? missingSecret(answer);
    if (failure !== null) {
      await assertAccountNotFull(session, attempt);
      return judged(failure);
    }
    const { places } = await firstKey(session);
    const tally = createTally();
    tally.judge(expectAccepted(await firstKeyRead(session), 'Created key is refused'));
    await judgePart(tally, async () => {
      const [refusal] = await firstKeyRefusals(session);
      tally.judge(refusal ? expectAccepted(refusal, 'Created key is refused, though it is known elsewhere') : null);
    });
    await judgePart(tally, async () => {
      const live = await newLiveKeyRead(session);
      tally.judge(live?.status === 401 ? expectAccepted(live, 'Created live key is refused') : null);
    });
    return tally.outcome({ ...places, id: places.id ?? 'not shown' });
  },

  'developer.keys.create-validation': judgeCreationValidation,

  'developer.keys.list': inBothEnvironments(judgeListed, judgeLiveListed),
  'developer.keys.delete': inBothEnvironments(judgeDeletion, judgeLiveDeletion),
  'developer.keys.rotate': inBothEnvironments(
    (session, tally) => judgeRotation(session, tally, mainEnvironment(session)),
    (session, tally) => judgeRotation(session, tally, 'live'),
  ),

  'developer.keys.rotate-keeps': inBothEnvironments(
    async (session, tally) => tally.add(await keptByRotation(session, mainEnvironment(session))),
    async (session, tally) => tally.add(await keptByRotation(session, 'live')),
  ),

  'developer.keys.usage': async (session) => {
    const tally = createTally();
    for (const days of usageDays.documented) {
      const what = `Usage ${days === 'none' ? 'without days' : `with days=${days}`} failed`;
      await judgePart(tally, async () => tally.judge(expectAccepted(await firstKeyUsage(session, days), what)));
    }
    if (mainEnvironment(session) !== 'live') {
      const what = 'Usage of a live key failed';
      await judgePart(tally, async () => tally.judge(expectAccepted(await liveKeyUsage(session), what)));
      await judgePart(tally, async () => {
        const answer = await liveKeyUsageOf90Days(session);
        // A key may be forbidden to read usage, even its own.
        const isRefused = answer !== null && (answer.status === 400 || answer.status >= 500);
        tally.judge(isRefused ? expectAccepted(answer, `${what} with days=90`) : null);
      });
    }
    return tally.outcome();
  },

  'developer.keys.usage-days': async (session) => {
    const seen: Record<string, string> = {};
    for (const days of usageDays.open) {
      seen[`days=${days}`] = describeAnswer(await firstKeyUsage(session, days));
    }
    return observed(seen);
  },

  'developer.keys.secret-not-listed': async (session) => {
    const { key } = await firstKey(session);
    const listed = await firstKeyListing(session);
    if (!listed.first.accepted) {
      throw undecided(listed.first, `Cannot be judged: ${describeAnswer(listed.first)}`, 'developer.keys.list');
    }
    const given = session.api.keys.flatMap(({ setting }) => givenKey(session, setting) ?? []);
    // A created key that is refused is no secret: it is judged by developer.keys.create.
    const created = (await firstKeyRead(session)).status === 401 ? [] : [{ ...key, label: 'the created key' }];
    // The created key may be on a later page than the first, and live keys in the list that live keys alone see.
    const liveListed = await resultOrNull(liveKeyListing(session));
    const rotated = await resultOrNull(rotatedKeyInList(session));
    const pages = [
      ...[listed, ...(liveListed === null ? [] : [liveListed])].flatMap(({ first, last }) => [first, last]),
      ...(rotated?.pages ?? []),
    ];
    for (const { label, secret } of [...created, ...given, ...(rotated === null ? [] : [rotated.key])]) {
      const exposing = pages.find((page) => exposes(page, secret));
      if (exposing !== undefined) {
        return judged(
          findingOn(exposing, {
            message: `Key list exposes the whole secret of ${label}`,
            expected: 'a prefix of it at most',
            actual: 'the secret',
          }),
        );
      }
    }
    return judged(null);
  },
};

/** The rotated key, and the pages of the key list that show it afterwards. */
async function rotatedKeyInList(session: Session): Promise<{ key: ApiKey; pages: readonly Answer[] }> {
  const environment = mainEnvironment(session);
  const { after } = await rotationIn(session, environment);
  const views = await listedAfterRotation(session, environment);
  return { key: { ...after().key, label: 'the rotated key' }, pages: views.map(({ from }) => from) };
}

const missingSecret = (answer: Answer): Finding | null =>
  secretIn(answer) !== undefined
    ? null
    : findingOn(answer, {
        message: 'Created key cannot be used: the answer shows no secret',
        expected: 'a secret in some field of data',
        actual: 'none',
        place: '/data',
      });

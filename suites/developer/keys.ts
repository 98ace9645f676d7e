import type { Environment } from '../../contract/scopes.ts';
import { createTally, judged, observed, type Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn, undecided } from '../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { givenKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { judgeNotShown } from '../shared/lists/created.ts';
import { judgeCreationValidation } from './support/keys/creation-validation.ts';
import { exposes } from './support/keys/exposed-secret.ts';
import {
  firstKey,
  firstKeyDeletion,
  firstKeyListing,
  firstKeyListingAfterDeletion,
  firstKeyRead,
  firstKeyRefusals,
  firstKeyUsage,
  usageDays,
} from './support/keys/first-key.ts';
import { assertAccountNotFull } from './support/keys/full-account.ts';
import { mainEnvironment, makerFor } from './support/keys/key-makers.ts';
import { judgeListed, judgeLiveListed } from './support/keys/listed-keys.ts';
import {
  liveKeyDeletion,
  liveKeyListing,
  liveKeyUsage,
  liveKeyUsageOf90Days,
  newLiveKeyRead,
} from './support/keys/live-key.ts';
import { firstKeyCreation } from './support/keys/make-key.ts';
import { secretIn } from './support/keys/run-key.ts';
import { assertKeyStillKnown, assertNotDeletedAlong } from './support/keys/unrecognised-key.ts';
import { keptByRotation, rotatedKeyRead, rotationIn, trialsAfterRotation } from './support/rotation/rotation.ts';

type Part = (session: Session, tally: Tally) => Promise<void>;

/** A clause on the life of a key, of the main key's environment and, where that is another and one may be made, of a live one. */
const inBoth =
  (own: Part, live: Part): Check =>
  (session) =>
    judgeInTurn(mainEnvironment(session) === 'live' ? [own] : [own, live], (tally, part) => part(session, tally));

/** API key management. */
export const keys: Checks = {
  'developer.keys.create': async (session) => {
    const attempt = await firstKeyCreation(session);
    const { answer } = attempt;
    const refused = expectAccepted(answer, 'Key cannot be created') ?? secretFinding(answer);
    if (refused !== null) {
      await assertAccountNotFull(session, attempt);
      return judged(refused);
    }
    const own = await firstKey(session);
    const tally = createTally();
    tally.judge(expectAccepted(await firstKeyRead(session), 'Created key is refused'));
    await judgePart(tally, async () => {
      const [stranger] = await firstKeyRefusals(session);
      tally.judge(stranger ? expectAccepted(stranger, 'Created key is refused, though it is known elsewhere') : null);
    });
    await judgePart(tally, async () => {
      const live = await newLiveKeyRead(session);
      tally.judge(live?.status === 401 ? expectAccepted(live, 'Created live key is refused') : null);
    });
    return tally.outcome({ ...own.places, id: own.places.id ?? 'not shown' });
  },

  'developer.keys.create-validation': judgeCreationValidation,

  'developer.keys.list': inBoth(judgeListed, judgeLiveListed),
  'developer.keys.delete': inBoth(judgeDeletion, judgeLiveDeletion),
  'developer.keys.rotate': inBoth(
    (session, tally) => judgeRotation(session, tally, mainEnvironment(session)),
    (session, tally) => judgeRotation(session, tally, 'live'),
  ),

  'developer.keys.rotate-keeps': inBoth(
    async (session, tally) => tally.add(await keptByRotation(session, mainEnvironment(session))),
    async (session, tally) => tally.add(await keptByRotation(session, 'live')),
  ),

  'developer.keys.usage': async (session) => {
    const tally = createTally();
    for (const days of usageDays.documented) {
      const what = `Usage ${days === 'none' ? 'without days' : `with days=${days}`} does not succeed`;
      await judgePart(tally, async () => tally.judge(expectAccepted(await firstKeyUsage(session, days), what)));
    }
    if (mainEnvironment(session) !== 'live') {
      const what = 'Usage of a live key does not succeed';
      await judgePart(tally, async () => tally.judge(expectAccepted(await liveKeyUsage(session), what)));
      await judgePart(tally, async () => {
        const answer = await liveKeyUsageOf90Days(session);
        // It may see no usage, not even its own.
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
    const [{ key }, listed] = [await firstKey(session), await firstKeyListing(session)];
    if (!listed.first.accepted) {
      throw undecided(listed.first, `Cannot be judged: ${describeAnswer(listed.first)}`, 'developer.keys.list');
    }
    const given = session.api.keys.flatMap(({ setting }) => givenKey(session, setting) ?? []);
    // What is refused is no secret: that is for developer.keys.create to say.
    const own = (await firstKeyRead(session)).status === 401 ? [] : [{ ...key, label: 'the created key' }];
    const known = [...own, ...given];
    // The created key may stand on another page than the first, and live keys in the list that a live key is shown alone.
    const live = await resultOrNull(liveKeyListing(session));
    const pages = [listed, ...(live === null ? [] : [live])].flatMap(({ first, last }) => [first, last]);
    const pageWith = (secret: string) => pages.find((page) => exposes(page, secret));
    const shown = known.find(({ secret }) => pageWith(secret) !== undefined);
    return judged(
      shown === undefined
        ? null
        : findingOn(pageWith(shown.secret) ?? listed.first, {
            message: `Key list exposes the whole secret of ${shown.label}`,
            expected: 'a prefix of it at most',
            actual: 'the secret',
          }),
    );
  },
};

async function judgeDeletion(session: Session, tally: Tally): Promise<void> {
  const [{ record }, deleted] = [await firstKey(session), await firstKeyDeletion(session)];
  const refused = expectAccepted(deleted, 'Key cannot be deleted');
  tally.judge(refused);
  if (refused !== null) {
    return;
  }
  const [listed, listedAfter] = [await firstKeyListing(session), await firstKeyListingAfterDeletion(session)];
  if (!listed.isShown || !listedAfter.first.accepted) {
    const message = 'Deletion succeeds, and the key list does not show whether the key is gone';
    throw undecided(listedAfter.first, message, 'developer.keys.list');
  }
  judgeNotShown(tally, listedAfter, record, listed);
}

async function judgeLiveDeletion(session: Session, tally: Tally): Promise<void> {
  const { own, answer, after } = await liveKeyDeletion(session);
  tally.judge(expectAccepted(answer, 'Live key cannot be deleted'));
  if (after?.first.accepted) {
    judgeNotShown(tally, after, own.record, await liveKeyListing(session));
  }
}

async function judgeRotation(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { before, answer, after } = await rotationIn(session, environment);
  const secret = secretIn(answer, before.key.secret);
  if (!answer.accepted) {
    tally.judge(expectAccepted(answer, 'Key cannot be rotated'));
  } else if (secret === undefined || secret.secret === before.key.secret) {
    tally.judge(
      findingOn(answer, {
        message: 'Rotation gives no new secret',
        expected: 'another secret than before',
        actual: secret === undefined ? 'no secret' : 'the old secret',
        place: secret?.pointer ?? '/data',
      }),
    );
  } else {
    const tried = await rotatedKeyRead(session, environment);
    await assertNotDeletedAlong(session, 'Rotated key', after(), {
      since: answer,
      tried,
      maker: makerFor(session, environment),
    });
    // A new secret that is forbidden is known: which scopes it has is a clause of its own.
    tally.judge(tried.status === 403 ? null : expectAccepted(tried, 'Rotated key is refused'));
    const stranger = (await trialsAfterRotation(session, environment)).find((answer) => answer?.status === 401);
    await assertKeyStillKnown(session, 'Rotated key', after().key, stranger ? [{ probe: stranger }] : []);
    tally.judge(tried.accepted && stranger ? expectAccepted(stranger, 'Rotated key is refused') : null);
  }
}

const secretFinding = (answer: Answer): Finding | null =>
  secretIn(answer) !== undefined
    ? null
    : findingOn(answer, {
        message: 'Created key cannot be used: the answer shows no secret',
        expected: 'a secret in some field of data',
        actual: 'none',
        place: '/data',
      });

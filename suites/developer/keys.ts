import { at, canonical } from '../../common/json.ts';
import { counted } from '../../common/words.ts';
import { type Environment, keyPrefix } from '../../contract/scopes.ts';
import type { Tally } from '../../results/outcome.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Check, type Checks, resultOrNull, stageOrNull } from '../engine/check.ts';
import { describeAnswer, expectAccepted, expectStatus, findingOn, judgeThat, needAccepted } from '../engine/expect.ts';
import { idIn } from '../reading/record.ts';
import { rowsIn } from '../reading/rows.ts';
import { assertNotFull, saysFull } from '../records/bodies.ts';
import { judgeCreatedListed, judgeMadeOnce, judgeNotListed } from '../records/listed-records.ts';
import { judgeTaken } from '../records/taken.ts';
import type { Answer } from '../session/call.ts';
import { givenKey, type Session } from '../session/session.ts';
import { judgeCreationValidation } from './calls/refused-bodies.ts';
import { environmentsOf, firstCreation, mainEnvironment, standingKey } from './keys/making.ts';
import { exposes, keysPath, secretIn, tryKey } from './keys/run-key.ts';
import {
  type KeyStory,
  keyStory,
  mainKeyStory,
  mainRotation,
  rotationStory,
  type Trial,
  usageDays,
} from './keys/stories.ts';

/** Judges what `tell` saw in the main environment and in live. Where no live key can be made, that part stays open. */
const inEachEnvironment =
  <T>(
    tell: (session: Session, environment: Environment) => Promise<T>,
    judge: (session: Session, tally: Tally, seen: T) => Promise<void> | void,
  ): Check =>
  (session, tally) =>
    tally.inTurn(environmentsOf(session), async (environment) =>
      judge(session, tally, await tell(session, environment)),
    );

/** API key management. */
export const keys: Checks = {
  'developer.keys.create': atMoment('badKeys', async (session, tally) => {
    const { answer } = await firstCreation(session, mainEnvironment(session));
    const failure = expectAccepted(answer, 'Key cannot be created') ?? missingSecret(answer);
    if (failure !== null) {
      assertNotFull(answer, 'key');
      tally.judge(failure);
      return;
    }
    const { made, firstRead, uses, listed } = await mainKeyStory(session);
    await tally.part(() => tally.judge(expectAccepted(firstRead(), 'Created key is refused')));
    // It has all scopes, and the given key may make these calls: each may look keys up in a place of its own.
    // That the query takes keys is a clause of its own.
    const refused = uses.find((one) => one?.status === 401 && !one.exchange.keyInQuery);
    tally.judge(refused ? expectAccepted(refused, 'Created key is refused') : null);
    judgeMadeOnce(session, tally, stageOrNull(listed), made.record);
    await tally.part(async () => {
      const { answer: live } = await firstCreation(session, 'live');
      // A 403 may say who may create live keys. The fields and values are documented, so that a 400 is wrong.
      const isWrong = live.status === 400 && live.exchange.keyLabel === 'LIVE_API_KEY' && !saysFull(live);
      tally.judge(isWrong ? expectAccepted(live, 'Live key cannot be created with the live key') : null);
      const read = (await keyStory(session, 'live')).firstRead();
      tally.judge(read.status === 401 ? expectAccepted(read, 'Created live key is refused') : null);
    });
    // It goes on working until the calls that need keys are made.
    await session.until('badKeys');
    await resultOrNull(standingKey(session).then(({ key }) => tryKey(session, key)));
    const dead = [...session.client.dead].find(([{ creation }]) => creation?.rotatedAt === undefined);
    const stories = environmentsOf(session).map((environment) => resultOrNull(keyStory(session, environment)));
    const isTaken = (story: KeyStory | null): boolean =>
      ((story && stageOrNull(story.deletion))?.taken.own ?? []).length > 0;
    const message = 'Created key was accepted before, and is refused now';
    if (dead && (await Promise.all(stories)).some(isTaken)) {
      tally.leaveOpen(findingOn(dead[1], { message, blames: 'developer.keys.delete' }));
    } else {
      tally.judge(dead ? expectAccepted(dead[1], message) : null);
    }
  }),

  'developer.keys.create-validation': judgeCreationValidation,

  'developer.keys.list': inEachEnvironment(keyStory, (_, tally, { made, listed }) => {
    const search = listed();
    if (search.first.accepted) {
      judgeCreatedListed(tally, search, made.record);
    } else {
      tally.judge(expectAccepted(search.first));
    }
  }),

  // The deletion succeeds, and the key list no longer shows the key.
  'developer.keys.delete': inEachEnvironment(keyStory, (_, tally, story) => {
    const { environment, made } = story;
    const deletion = story.deletion();
    const { answer, before, search } = deletion;
    tally.judge(
      expectAccepted(answer, environment === 'live' ? 'Live key cannot be deleted' : 'Key cannot be deleted'),
    );
    if (!answer.accepted) {
      return;
    }
    judgeTaken(tally, deletion);
    if (before.isShown && search.first.accepted) {
      judgeNotListed(tally, search, made.record, before);
    } else {
      const message = 'The deletion succeeded, but the key list does not show whether the key is gone';
      tally.leaveOpen(findingOn(search.first, { message, blames: 'developer.keys.list' }));
    }
  }),

  'developer.keys.rotate': inEachEnvironment(rotationStory, (_, tally, { made, answer, firstRead, trials, again }) => {
    const failure = expectAccepted(answer, 'Key cannot be rotated') ?? missingSecret(answer, made.key.secret);
    if (failure !== null) {
      tally.judge(failure);
      return;
    }
    const second = stageOrNull(again);
    const reads = [firstRead(), ...trials.map(({ after }) => after).filter(({ status }) => status === 401)];
    // A 403 shows that the new secret is known: its scopes are judged by developer.keys.rotate-keeps.
    const refused = [...reads, second?.firstRead].find((one) => one && !one.accepted && one.status !== 403);
    tally.judge(
      refused ? expectAccepted(refused, 'Rotated key is refused') : null,
      second?.answer.accepted ? missingSecret(second.answer, second.former.secret) : null,
    );
  }),

  // A rotated key keeps its environment and its scopes: what was accepted is not forbidden now, nor the reverse.
  'developer.keys.rotate-keeps': inEachEnvironment(rotationStory, (_, tally, story) => {
    const { environment, made, answer, successor, trials } = story;
    needAccepted(answer, 'Key cannot be rotated', 'developer.keys.rotate');
    const prefix = keyPrefix[environment];
    const { secret } = successor().key;
    // A key that was made without its prefix is judged by the clause about that.
    judgeThat(tally, secret.startsWith(prefix) || !made.key.secret.startsWith(prefix), answer, {
      message: "Rotation changed the key's prefix",
      expected: prefix,
      actual: secret.slice(0, Math.min(prefix.length, Math.floor(secret.length / 4))),
    });
    // A key that is refused with 401 is judged by the clause on rotation.
    for (const trial of trials.filter(({ after }) => after.status !== 401)) {
      const { before, after } = trial;
      const isKept = before.accepted ? after.status !== 403 : !after.accepted;
      const cause = `Rotation ${before.accepted ? 'removed' : 'added'} a scope`;
      tally.judge(isKept ? null : expectStatus(after, before.status, 'A rotated key', cause));
      judgeEnvironmentKept(tally, trial);
    }
  }),

  // Usage succeeds without days and with the documented numbers, and is that of the key, and of the days.
  'developer.keys.usage': inEachEnvironment(keyStory, async (session, tally, { environment, made, usage }) => {
    for (const days of usageDays.documented) {
      await tally.part(() => {
        const what = environment === 'live' ? 'Usage of a live key' : 'Usage';
        const how = days === 'none' ? 'without days' : `with days=${days}`;
        const answer = usage[days]();
        tally.judge(expectAccepted(answer, `${what} ${how} failed`) ?? ofAnotherKey(session, answer, made.id));
      });
    }
    await tally.part(() => tally.judge(daysIgnored(usage)));
  }),

  'developer.keys.usage-days': async (session) => {
    const { usage } = await mainKeyStory(session);
    return Object.fromEntries(usageDays.open.map((days) => [`days=${days}`, describeAnswer(usage[days]())]));
  },

  // No page of the key list that the run read shows the whole secret of a key.
  'developer.keys.secret-not-listed': async (session, tally) => {
    const main = await mainKeyStory(session);
    const shown = main.listed();
    needAccepted(shown.first, 'Keys cannot be listed', 'developer.keys.list');
    // Live keys may be in the list that live keys alone see.
    const live = await resultOrNull(keyStory(session, 'live'));
    const rotation = await resultOrNull(mainRotation(session));
    const pages = [shown, live && stageOrNull(live.listed), rotation?.listed].flatMap((search) => search?.pages ?? []);
    const keys = [
      // What is refused is no secret: an answer may show how one begins. It is judged by keys.create and keys.rotate.
      ...[main, live].flatMap((one) => (one && stageOrNull(one.firstRead)?.accepted ? [one.made.key] : [])),
      ...(rotation && stageOrNull(rotation.firstRead)?.accepted ? [rotation.successor().key] : []),
      ...session.api.keys.flatMap(({ setting }) => givenKey(session, setting) ?? []),
    ];
    const exposing = keys.flatMap(({ label, secret }) =>
      pages.flatMap(({ answer }) => (exposes(answer, secret) ? [{ answer, label }] : [])),
    );
    const [first] = exposing;
    const wrong = { expected: 'a prefix of it at most', actual: 'the secret' };
    tally.judge(
      first
        ? findingOn(first.answer, { message: `Key list exposes the whole secret of ${first.label}`, ...wrong })
        : null,
    );
  },
};

/** The finding on an answer that shows no new secret; `former`: the one before, where the key was rotated. */
function missingSecret(answer: Answer, former?: string): Finding | null {
  const shown = secretIn(answer, former);
  const message =
    former === undefined ? 'Created key cannot be used: the answer shows no secret' : 'Rotation returned no new secret';
  const actual = shown === undefined ? 'no secret' : 'the old secret';
  const place = shown?.place ?? '/data';
  return shown !== undefined && shown.value !== former
    ? null
    : findingOn(answer, { message, expected: 'a new secret in some field of data', actual, place });
}

/** Judges that a rotated key reads some of the records that it read before, of lists that differ by environment. */
function judgeEnvironmentKept(tally: Tally, { before, after }: Trial): void {
  // Figures may change with each read; ids and names do not.
  const namesIn = ({ payload }: Answer): string[] =>
    (rowsIn(payload, 'campaign', 'deal') ?? []).map(({ id, name, company }) => canonical([id, name ?? company]));
  const names = namesIn(before);
  if (/campaigns|pipeline/.test(before.exchange.endpoint ?? '') && after.accepted && names.length > 0) {
    judgeThat(
      tally,
      namesIn(after).some((name) => names.includes(name)),
      after,
      {
        message: `After rotation, the key sees other records: ${before.exchange.endpoint} shows none of those that it showed`,
        expected: 'records of the same environment, as before the rotation',
        actual: counted(namesIn(after).length, 'record'),
        cause: 'Rotation returns a key of the other environment',
      },
    );
  }
}

/** The finding on usage that names another key of the account; null: it does not. */
function ofAnotherKey({ ledger }: Session, answer: Answer, own: string): Finding | null {
  const shown = answer.unredacted(({ payload }) => idIn(payload, 'key'));
  const isKey = (id: string): boolean =>
    ledger.isOther(keysPath, id) || ledger.all().some((entry) => entry.collection === keysPath && entry.id === id);
  return shown === undefined || shown === own || !isKey(shown)
    ? null
    : findingOn(answer, { message: 'Usage of a key is that of another key', expected: own, actual: shown });
}

/** The finding on usage that says the same number of days for each that is asked for; a new key has no three days. */
function daysIgnored(usage: KeyStory['usage']): Finding | null {
  const answers = (['1', '7', '90'] as const).map((days) => usage[days]());
  const [first, ...others] = answers.map(({ payload }) => at(payload, '/days'));
  return typeof first === 'number' && first > 2 && others.every((one) => one === first)
    ? findingOn(answers[0] as Answer, {
        message: `Usage ignores days: it is that of ${first} days with days=1, 7 and 90`,
        expected: '1',
        actual: String(first),
        place: '/data/days',
      })
    : null;
}

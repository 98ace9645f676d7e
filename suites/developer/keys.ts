import { at } from '../../common/json.ts';
import { createTally, judged, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn, undecided } from '../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull, toldOrNull } from '../engine/parts.ts';
import { judgeInList, judgeNotListed } from '../records/listed-records.ts';
import type { Answer } from '../session/answer.ts';
import { givenKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { firstKeyCreation, mainEnvironment, makerFor } from './keys/creation.ts';
import { judgeCreationValidation } from './keys/creation-validation.ts';
import { exposes } from './keys/find-secrets.ts';
import { judgeKept } from './keys/kept-by-rotation.ts';
import { fullAccountAdvice } from './keys/lending.ts';
import { secretIn } from './keys/run-key.ts';
import { firstStory, type KeyStory, rotatedStory, usageDays } from './keys/story.ts';
import { inQuery } from './keys/ways.ts';

type Judge = (session: Session, tally: Tally, story: KeyStory) => Promise<void> | void;

/** Judges the stories of both environments: the live one, where the main key is not live and live keys may be made. */
const onStories =
  (main: (session: Session) => Promise<KeyStory>, judge: Judge): Check =>
  (session) =>
    judgeInTurn(
      mainEnvironment(session) === 'live' ? [main] : [main, (one: Session) => rotatedStory(one, 'live')],
      async (tally, story) => judge(session, tally, await story(session)),
    );

const rotatedMainStory = (session: Session): Promise<KeyStory> => rotatedStory(session, mainEnvironment(session));

/** API key management. */
export const keys: Checks = {
  'developer.keys.create': async (session) => {
    const { answer } = await firstKeyCreation(session);
    const failure = expectAccepted(answer, 'Key cannot be created') ?? missingSecret(answer);
    if (failure !== null) {
      assertAccountNotFull(answer);
      return judged(failure);
    }
    const story = await firstStory(session);
    const tally = createTally();
    await judgePart(tally, () => tally.judge(expectAccepted(story.firstRead(), 'Created key is refused')));
    await judgePart(tally, () => {
      // In the query, the mode itself may be refused.
      const answers = story.uses().flatMap((way) => (way.name === inQuery ? [] : way.answers));
      const refusal = story.firstRead().accepted ? answers.find((answer) => answer?.status === 401) : undefined;
      tally.judge(refusal ? expectAccepted(refusal, 'Created key is refused, though it is known elsewhere') : null);
    });
    await judgePart(tally, async () => {
      const live = (await rotatedStory(session, 'live')).firstRead();
      tally.judge(live.status === 401 ? expectAccepted(live, 'Created live key is refused') : null);
    });
    const { places } = story.made;
    return tally.outcome({ ...places, id: places.id ?? 'not shown' });
  },

  'developer.keys.create-validation': judgeCreationValidation,
  'developer.keys.list': onStories(firstStory, judgeListed),
  'developer.keys.delete': onStories(firstStory, judgeDeletion),
  'developer.keys.rotate': onStories(rotatedMainStory, judgeRotation),
  'developer.keys.rotate-keeps': onStories(rotatedMainStory, judgeKept),
  'developer.keys.usage': onStories(firstStory, judgeUsage),

  'developer.keys.usage-days': async (session) => {
    const { usage } = await firstStory(session);
    return observed(Object.fromEntries(usageDays.open.map((days) => [`days=${days}`, describeAnswer(usage(days))])));
  },

  'developer.keys.secret-not-listed': async (session) => {
    const { made, firstRead, listed } = await firstStory(session);
    const first = listed()?.first;
    if (first !== undefined && !first.accepted) {
      throw undecided(first, `Cannot be judged: ${describeAnswer(first)}`, 'developer.keys.list');
    }
    // A created key that is refused is no secret: it is judged by developer.keys.create.
    const created = firstRead().status === 401 ? [] : [{ ...made.key, label: 'the created key' }];
    const given = session.api.keys.flatMap(({ setting }) => givenKey(session, setting) ?? []);
    // The created key may be on a later page than the first, and live keys in the list that live keys alone see.
    const rotation = await resultOrNull(rotatedMainStory(session).then((story) => story.rotation()));
    const rotated = rotation && toldOrNull(rotation.successor);
    const live = await resultOrNull(rotatedStory(session, 'live').then((story) => story.listed()));
    const pages = [listed(), live, rotation?.listed].flatMap((search) => (search ? [search.first, search.last] : []));
    const secrets = [...created, ...given, ...(rotated ? [{ ...rotated.key, label: 'the rotated key' }] : [])];
    for (const { label, secret } of secrets) {
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

/** The key list shows the key to the key that made it. */
async function judgeListed(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const { environment, last, listed } = story;
  const search = listed();
  if (search === null) {
    return;
  }
  if (!search.first.accepted) {
    tally.judge(expectAccepted(search.first));
    return;
  }
  if (!search.isShown) {
    await assertNotDueToRotation(session, story, search.last);
  }
  const key = makerFor(session, environment);
  await judgeInList(session, tally, { record: last.record, listed: search, key });
}

/** The deletion succeeds, and the key list no longer shows the key. */
async function judgeDeletion(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const { environment, deletion, lastListed, listedAfter, last } = story;
  const answer = deletion();
  if (answer.status === 404) {
    await assertNotDueToRotation(session, story, answer);
  }
  tally.judge(expectAccepted(answer, environment === 'live' ? 'Live key cannot be deleted' : 'Key cannot be deleted'));
  if (!answer.accepted) {
    return;
  }
  const after = listedAfter();
  if (lastListed()?.isShown && after?.first.accepted) {
    judgeNotListed(tally, after, last.record, lastListed());
  } else if (environment === mainEnvironment(session)) {
    const message = 'The deletion succeeded, but the key list does not show whether the key is gone';
    throw undecided(after?.first ?? answer, message, 'developer.keys.list');
  }
}

/** Throws Inconclusive where a call on the key may fail since its rotation made it invalid, or another key. */
async function assertNotDueToRotation(session: Session, story: KeyStory, answer: Answer): Promise<void> {
  const rotation = toldOrNull(story.rotation);
  if (rotation === null) {
    return;
  }
  const firstRead = rotation.firstRead();
  if (firstRead.status === 401) {
    const message = `Key is refused since its rotation: ${describeAnswer(firstRead)}`;
    throw undecided(firstRead, message, 'developer.keys.rotate');
  }
  const kept = createTally();
  await judgePart(kept, () => judgeKept(session, kept, story));
  if (kept.outcome().failures.length > 0) {
    throw undecided(answer, 'Rotation replaced the key', 'developer.keys.rotate-keeps');
  }
}

/** Rotation gives a new secret, and that one works. */
function judgeRotation(_: Session, tally: Tally, { made, rotation }: KeyStory): void {
  const { answer, firstRead, trials } = rotation();
  const failure = expectAccepted(answer, 'Key cannot be rotated') ?? missingNewSecret(answer, made.key.secret);
  if (failure !== null) {
    tally.judge(failure);
    return;
  }
  const read = firstRead();
  // A 403 shows that the new secret is known: its scopes are judged by developer.keys.rotate-keeps.
  tally.judge(read.status === 403 ? null : expectAccepted(read, 'Rotated key is refused'));
  const refusal = trials.find((trial) => trial.after?.status === 401)?.after;
  tally.judge(read.accepted && refusal ? expectAccepted(refusal, 'Rotated key is refused') : null);
}

function missingNewSecret(answer: Answer, former: string): Finding | null {
  const shown = secretIn(answer, former);
  return shown !== undefined && shown.secret !== former
    ? null
    : findingOn(answer, {
        message: 'Rotation returned no new secret',
        expected: 'another secret than before',
        actual: shown === undefined ? 'no secret' : 'the old secret',
        place: shown?.pointer ?? '/data',
      });
}

/** Usage succeeds without days and with the documented numbers. */
async function judgeUsage(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const isMain = story.environment === mainEnvironment(session);
  for (const days of usageDays.documented.filter((one) => story.usageAsked.includes(one))) {
    await judgePart(tally, async () => {
      const answer = story.usage(days);
      if (!isMain && answer.status === 404) {
        await assertNotDueToRotation(session, story, answer);
      }
      const what = isMain ? 'Usage' : 'Usage of a live key';
      // A live key may be forbidden to read usage, even its own.
      const mayBeForbidden = !isMain && days !== 'none' && answer.status !== 400 && answer.status < 500;
      const how = days === 'none' ? 'without days' : `with days=${days}`;
      tally.judge(mayBeForbidden ? null : expectAccepted(answer, `${what} ${how} failed`));
    });
  }
}

/** Words of a refusal because an account is full. */
const wordsOfFullAccount = /limit|maxim|quota|too many|at most|no more|exceed|reached/i;

/** Throws Inconclusive where a creation was refused for a full account: that does not show whether creation works. */
function assertAccountNotFull(answer: Answer): void {
  const saysSo =
    [400, 403].includes(answer.status) && wordsOfFullAccount.test(JSON.stringify(at(answer.json, '/error')) ?? '');
  if (saysSo || [402, 409, 429].includes(answer.status)) {
    const actual = describeAnswer(answer);
    const message = `No key can be created: the account seems to be full: ${actual}`;
    throw new Inconclusive(findingOn(answer, { message, expected: '2xx', actual, advice: fullAccountAdvice }));
  }
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

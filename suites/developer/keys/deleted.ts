import { thousands } from '../../../common/words.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import { callName, describeAnswer } from '../../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { neverIssuedKeys } from '../../shared/refusals/never-issued.ts';
import { type BadCall, judgeRefusals } from '../../shared/refusals/refusals.ts';
import { isNotDeletedYet } from './creation.ts';
import type { KeyStory } from './story.ts';
import { inQuery, rounds, tryKey, type Way, worksEachTime } from './ways.ts';

/** A way of calling, and its answers after the key's deletion. */
type WayAfterDeletion = Way & {
  readonly answers: Answer[];
  /** The first answer that is no refusal with 401, and what a key that was never issued gets in its place. */
  notRefused?: { readonly answer: Answer; readonly unknown: Answer };
};

/** How many calls with a deleted key were judged, by way. */
type JudgedCalls = Readonly<Record<string, number>>;

/** The key of a story, after its deletion. Throws Inconclusive where it did not work, or was not deleted. */
function deletedKey({ firstRead, deletion, last }: KeyStory): ApiKey {
  for (const [answer, clause] of [
    [firstRead(), 'developer.keys.create'],
    [deletion(), 'developer.keys.delete'],
  ] as const) {
    if (!answer.accepted) {
      throw undecided(answer, `Cannot be judged: ${describeAnswer(answer)}`, clause);
    }
  }
  return last.key;
}

/** A deleted key gets 401 in every way in which it was accepted. Gives how many calls were judged, by way. */
export async function judgeDeletedKey(session: Session, tally: Tally, story: KeyStory): Promise<JudgedCalls> {
  const key = deletedKey(story);
  const tried = await tryDeletedKey(session, tally, story, key);
  const judged = tried.filter(({ answers }) => answers.length > 0).filter((way) => judgeWay(session, tally, key, way));
  return Object.fromEntries(
    tried.map((way) => [`${key.environment}, ${way.name}`, judged.includes(way) ? way.answers.length : 0]),
  );
}

/** Whether no call of one mode decided anything, although the key was accepted in that mode before. */
export function isModeOpen(calls: JudgedCalls): boolean {
  const byMode = Map.groupBy(Object.entries(calls), ([way]) => way.endsWith(inQuery));
  return [...byMode.values()].some((ways) => ways.every(([, count]) => count === 0));
}

/** Tries a deleted key in each way that worked before, from KEY_SETTLE_MS after the deletion on, for as long. */
async function tryDeletedKey(
  session: Session,
  tally: Tally,
  { uses, deletion }: KeyStory,
  key: ApiKey,
): Promise<WayAfterDeletion[]> {
  const { clock, settings } = session;
  const settledAt = deletion().exchange.receivedAt + settings.KEY_SETTLE_MS;
  const tried = uses()
    .filter(worksEachTime)
    .map((way): WayAfterDeletion => ({ ...way, answers: [] }));
  const callIn = (way: WayAfterDeletion, round: number): Promise<void> =>
    judgePart(tally, async () => {
      const answer = await way.send(session, { ...key, origin: 'unknown' }, { purpose: 'refusal' }, round);
      if (answer.status !== 0 && answer.status !== 401 && way.notRefused === undefined) {
        // What a key that was never issued gets too is not due to the deletion. Later, it might be limited.
        const unknown = await way.send(session, unknownKeyLike(session, key), { purpose: 'refusal' }, round);
        way.notRefused = { answer, unknown };
      }
      way.answers.push(answer);
    });
  // A call for each replica, before bad keys may be sent: by then, a cache of a minute would be empty.
  await clock.sleep(settledAt - clock.now());
  for (const way of tried.slice(0, rounds)) {
    await callIn(way, 0);
  }
  await session.until('badKeys');
  for (let round = 0; round < rounds; round += 1) {
    await clock.sleep(round === 0 ? 0 : settings.KEY_SETTLE_MS / rounds);
    for (const way of round === 0 ? tried.slice(rounds) : tried) {
      await callIn(way, round);
    }
  }
  return tried;
}

/** Judges the answers of one way; false: they decide nothing. */
function judgeWay(
  session: Session,
  tally: Tally,
  key: ApiKey,
  { name, answers, notRefused }: WayAfterDeletion,
): boolean {
  const answered = answers.filter(({ status }) => status !== 0);
  if (answered.length === 0) {
    const first = answers[0] as Answer;
    tally.leaveOpen(findingOn(first, { message: `Cannot judge a deleted key ${name}: ${describeAnswer(first)}` }));
    return false;
  }
  if (notRefused === undefined) {
    tally.judge(null);
    return true;
  }
  const { answer, unknown } = notRefused;
  if (unknown.status === answer.status) {
    const message = `Cannot judge a deleted key ${name}: a key that never existed also gets ${describeAnswer(unknown)}`;
    tally.leaveOpen(findingOn(unknown, { message, blames: 'developer.auth.invalid-key' }));
    return false;
  }
  const accepted = answered.filter((answer) => answer.accepted).length;
  const { KEY_SETTLE_MS } = session.settings;
  const outlived = `still works ${thousands(KEY_SETTLE_MS)} ms after its deletion`;
  const deleted = `A deleted ${key.environment} key`;
  const finding =
    accepted > 0
      ? findingOn(answer, {
          message: `${deleted} ${outlived}, in ${accepted} of ${answered.length} calls ${name}: ${describeAnswer(answer)} on ${callName(answer)}`,
          expected: '401',
          actual: describeAnswer(answer),
          cause: 'Keys are cached beyond their deletion',
          alike: { what: deleted, got: outlived, call: callName(answer) },
        })
      : expectStatus(answer, 401, deleted);
  tally.judge(finding);
  return true;
}

/** Every documented call refuses the deleted key with 401, every second POST in query mode. */
export async function judgeDeletedKeyOnEveryCall(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const key = deletedKey(story);
  const posts = session.api.endpoints.filter(({ method }) => method === 'POST');
  // A call on one key names the deleted key itself: where it is wrongly accepted, no other key is changed.
  const sendWith =
    (sent: ApiKey): BadCall['send'] =>
    ({ endpoint, send }) =>
      endpoint.path.includes(':id')
        ? session.client.send(callOf(endpoint, sent, { id: key.id ?? '', purpose: 'refusal' }))
        : send({ key: sent, ...(posts.indexOf(endpoint) % 2 === 1 ? { mode: 'query' } : {}) });
  const badCall: BadCall = {
    name: 'with a deleted key',
    send: sendWith({ ...key, origin: 'unknown' }),
    // What a key that was never issued gets too is not due to the deletion.
    coveredBy: sendWith(unknownKeyLike(session, key)),
  };
  tally.add((await judgeRefusals(session, { label: 'a deleted key', badCalls: [badCall] })).outcome);
}

/** A former secret that outlives the rotation is refused with 401 once the key is deleted. */
export async function judgeFormerSecret(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const { former } = story.rotation();
  if (former === null || !former.later.accepted || isNotDeletedYet(session, story.made.record)) {
    return;
  }
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const now = await tryKey(session, former.key, { purpose: 'refusal' });
  const unknown = unknownKeyLike(session, former.key);
  // Where a key that was never issued is accepted too, the deletion is not to blame.
  const isDefect = now.accepted && !(await tryKey(session, unknown, { purpose: 'refusal' })).accepted;
  const what = 'The old secret of a rotated key, after the key was deleted,';
  tally.judge(isDefect ? expectStatus(now, 401, what) : null);
}

/** A key that was never issued, with the prefix of the given one. */
function unknownKeyLike(session: Session, { secret }: ApiKey): ApiKey {
  const unknown = neverIssuedKeys(session);
  const prefix = Object.values(keyPrefix).find((one) => secret.startsWith(one)) ?? '';
  return unknown.find((one) => one.secret.startsWith(prefix)) ?? unknown[0];
}

import { minuteAt } from '../../../contract/limits.ts';
import { judge, type Verdict } from '../../../limits/judge/judge.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { runMinute } from '../../../limits/procedure/minute.ts';
import type { MinuteIo } from '../../../limits/procedure/minute-io.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { undecided } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { Call } from '../../session/call.ts';
import { unpaced } from '../../session/client.ts';
import type { Session } from '../../session/session.ts';
import { neverIssuedKeys } from '../refusals/never-issued.ts';
import { exchangeSample } from './limit-samples.ts';
import { type OtherCall, plainCall } from './other-calls.ts';
import { isRefusedAnew, looksLockedOut, wasAway } from './other-refusals.ts';
import { type Budget, usedSince } from './used-since.ts';

/** A drive of a key, or a workspace, over its minute's limit, and what the judge of limits makes of it. */
export interface Drive extends Pick<DrivePlan, 'subject' | 'limit'> {
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
  /** The answer to the first call that was refused; where none was, to the last one. */
  readonly decisive: Answer;
  /** While how many others calls were refused, whatever the minute; null: calls at once are not limited. */
  readonly atOnce: number | null;
  /** The answer to a call of the drive; undefined for calls that were made before it. */
  answerTo(sample: Sample): Answer | undefined;
}

/** What is driven over its limit, and how. */
interface DrivePlan extends Budget {
  /** Whose limit it is: `sandbox key`. */
  readonly subject: string;
  /** Calls of other kinds that draw on the same limit. Each is made once while the key is refused. */
  readonly others: readonly OtherCall[];
  /**
   * Makes calls that are needed anyway, with a session that does not wait for their turn: before another window is
   * filled, or where no call was refused.
   */
  readonly beforeNextFill?: (session: Session) => Promise<unknown>;
  /** The clause to blame where the key is refused with 401 from the first call on. */
  readonly blames: string;
}

/**
 * Drives a key over its limit, whatever it was used for before. Where something else than the limit may have refused
 * it, a lockout or a gateway, it is driven once more. Throws Skipped, and Inconclusive where the key is refused with
 * 401.
 */
export async function driveOver(session: Session, plan: DrivePlan): Promise<Drive> {
  const { clock, client } = session;
  const { key, limit, subject, call } = plan;
  const windowMs = minuteAt(session.settings.CLOCK_SPEED);
  const terms = { limit, windowMs, own: plan.isOwnBudget };
  const answers = new Map<Sample, Answer>();
  let atOnce: number | null = null;
  const { intrude, ...sends } = minuteIo(session, plan, answers);
  const io = {
    ...sends,
    crowded: (most: number): void => {
      atOnce = Math.min(most, atOnce ?? most);
    },
  };
  const judged = (some: readonly Sample[]): Verdict => judge(some, { ...terms, key: key.label });
  const beforeNextFill = async (soFar: readonly Sample[]): Promise<readonly Sample[]> =>
    looksLockedOut(session, soFar, judged(soFar), limit) ? [] : makeNeeded(session, plan);
  await client.waitUntilUnlocked(call);
  await awaitRoom(session, plan, windowMs);
  let samples: readonly Sample[] = await runMinute(
    { ...io, intrude, beforeNextFill },
    { ...terms, ...usedSince(session, plan, clock.now() - 2 * windowMs) },
  );
  let verdict = judged(samples);
  const isLockout =
    looksLockedOut(session, samples, verdict, limit) && !isRefusedAnew(session, samples, limit, windowMs);
  const isAway = verdict.perMinute.verdict !== 'holds' && wasAway(session, samples, key);
  if (isLockout || isAway) {
    await clock.sleep(2 * windowMs);
    const since = clock.now();
    // This may send a call that draws on the budget.
    await client.waitUntilUnlocked(call);
    const used = usedSince(session, plan, since);
    const again = await runMinute(io, { ...terms, ...('before' in used ? used : { idle: true }) });
    // A key that is refused after two quiet minutes was not locked out by bad keys.
    if (again.find(({ phase }) => phase === 'opener')?.status !== 429) {
      samples = again;
      verdict = judged(again);
    }
  }
  await repeatBrokenReads(session, plan, [...answers]);
  if (verdict.evidence.refused === 0) {
    await makeNeeded(session, plan);
  }
  const decisive = verdict.exceeded.firstRefused ?? samples.findLast((sample) => answers.has(sample)) ?? samples[0];
  const answerTo = (sample: Sample): Answer | undefined => answers.get(sample);
  return { subject, limit, samples, verdict, atOnce, answerTo, decisive: answers.get(decisive as Sample) as Answer };
}

/**
 * Where the key was refused before, although the run keeps within the limit: waits until at most half of it is used.
 * Something smaller than the minute may be limited, such as ten seconds, and only a drive with that much room shows it.
 */
async function awaitRoom(session: Session, plan: DrivePlan, windowMs: number): Promise<void> {
  const { clock, evidence } = session;
  const wasRefused = evidence.exchanges.some(
    ({ keyValid, keyLabel, response }) =>
      keyValid && keyLabel !== null && plan.sharers.includes(keyLabel) && response?.status === 429,
  );
  const used = usedSince(session, plan, clock.now() - windowMs);
  if (wasRefused && 'before' in used) {
    const last = used.before.at(-1 - Math.floor(plan.limit / 2));
    await clock.sleep(Math.max(0, (last?.sentAt ?? 0) + windowMs - clock.now()));
  }
}

/** What the procedure sends with. Keeps the answers by their samples. `intrude`: a call with an unknown key. */
function minuteIo(
  session: Session,
  { call, key, others, blames }: DrivePlan,
  answers: Map<Sample, Answer>,
): MinuteIo & Required<Pick<MinuteIo, 'intrude'>> {
  const { clock, client } = session;
  const keep = (answer: Answer, phase: string, route?: string): Sample => {
    const sample = exchangeSample(answer.exchange, phase, route);
    answers.set(sample, answer);
    return sample;
  };
  const intruder: Call = { ...call, key: neverIssuedKeys(session)[0], purpose: 'refusal' };
  return {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    send: async (phase) => {
      let answer = await client.sendNow(call);
      if (phase === 'opener' && answer.status === 401) {
        // A lockout may have begun since the key was last accepted.
        await client.waitUntilUnlocked(call);
        answer = await client.sendNow(call);
      }
      if (phase === 'opener' && answer.status === 401) {
        throw undecided(answer, `Cannot be judged: ${key.label} is refused: ${describeAnswer(answer)}`, blames);
      }
      return keep(answer, phase);
    },
    probes: others.map(({ route, make }) => async (phase: string) => {
      // The write guard stops a call on a record that was deleted meanwhile.
      const answer = await resultOrNull(make(client.sendNow));
      return answer && keep(answer, phase, route);
    }),
    intrude: async () => keep(await client.sendNow(intruder), 'intruder'),
  };
}

/** Makes the calls that are needed anyway. Gives the samples of those that draw on the budget. */
async function makeNeeded(session: Session, { beforeNextFill, key, call }: DrivePlan): Promise<readonly Sample[]> {
  const { exchanges } = session.evidence;
  const before = exchanges.length;
  await beforeNextFill?.({ ...session, client: unpaced(session.client) });
  return exchanges
    .slice(before)
    .filter(({ keyLabel }) => keyLabel === key.label)
    .map((exchange) => {
      const isPlain = exchange.endpoint === call.endpoint?.id;
      return exchangeSample(exchange, 'follow-up', isPlain ? undefined : (exchange.endpoint ?? undefined));
    });
}

/** Repeats, at the key's pace, reads whose last call got a 5xx: one that does not come again is an accident. */
async function repeatBrokenReads(
  session: Session,
  { call, others }: DrivePlan,
  made: readonly (readonly [Sample, Answer])[],
): Promise<void> {
  // In the order of sending: an answer to an earlier call may have come last.
  const reads = made
    .filter(([{ phase }, { exchange }]) => phase !== 'intruder' && exchange.request.method === 'GET')
    .sort(([, one], [, other]) => one.exchange.number - other.exchange.number);
  for (const { route, make } of [{ route: undefined, make: plainCall(call).make }, ...others]) {
    const last = reads.findLast(([sample]) => sample.route === route);
    if (last !== undefined && last[1].status >= 500) {
      await resultOrNull(make(session.client.send));
    }
  }
}

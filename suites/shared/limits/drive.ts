import { minuteMs } from '../../../contract/limits.ts';
import { judge, type Verdict } from '../../../limits/judge/judge.ts';
import { refusedAnew } from '../../../limits/judge/spaced.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { type MinuteIo, runMinute } from '../../../limits/procedure/minute.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { describeAnswer, undecided } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { Call } from '../../session/call.ts';
import { isGatewayError } from '../../session/evidence/accidents.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { neverIssued } from '../refusals/never-issued.ts';
import { earlierSampleOf, inOrder, sampleOf } from './limit-samples.ts';
import { type OtherCall, plainly } from './other-calls.ts';

/** A key, or a workspace, that was driven over its minute's limit, and what the judge of limits makes of the trace. */
export interface Drive {
  /** `sandbox key`: whose limit it is. */
  readonly subject: string;
  /** Requests a minute. */
  readonly limit: number;
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
  /** The answer to the first call that was refused, else to the first or last of all. */
  readonly decisive: Answer;
  /** The answer to a call of the drive; undefined for those that were made before it. */
  answerTo(sample: Sample): Answer | undefined;
}

/** What is driven over its limit, and how. */
interface Driven {
  /** `sandbox key`. */
  readonly subject: string;
  readonly key: ApiKey;
  /** Requests a minute. */
  readonly limit: number;
  /** The call that uses the limit up. */
  readonly call: Call;
  /** Calls of other kinds that draw on the same limit: each is made once while the key is refused. */
  readonly others: readonly OtherCall[];
  /** Nobody but this run can use up the budget. */
  readonly own: boolean;
  /** Labels of the keys whose earlier calls may have drawn on the budget; its own is one. */
  readonly sharers: readonly string[];
  /** The clause to blame where the key is refused with 401 from the first call on. */
  readonly blames: string;
}

/** Drives a key over its limit, from whatever it was used for before. Throws Skipped, and Inconclusive where the key is refused. */
export async function driveOver(session: Session, driven: Driven): Promise<Drive> {
  const { clock, settings } = session;
  const { call, key, limit, own, subject } = driven;
  const windowMs = minuteMs / settings.CLOCK_SPEED;
  const answers = new Map<Sample, Answer>();
  const keep = (answer: Answer, phase: string, route?: string): Sample => {
    const sample = sampleOf(answer.exchange, phase, route);
    answers.set(sample, answer);
    return sample;
  };
  const intruder: Call = { ...call, key: neverIssued(session)[0], purpose: 'refusal' };
  await session.client.waitUntilUnlocked(call);
  const standing = (since: number): { idle: boolean } | { before: readonly Sample[] } => {
    const before = callsBefore(session, driven, since);
    return before.length === 0 ? { idle: own } : { before };
  };
  const io: MinuteIo = {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    send: async (phase) => {
      const answer = await session.client.sendNow(call);
      if (phase === 'opener' && answer.status === 401) {
        throw undecided(answer, `Cannot be judged: ${key.label} is refused: ${describeAnswer(answer)}`, driven.blames);
      }
      return keep(answer, phase);
    },
    probes: driven.others.map(
      ({ route, make }) =>
        async (phase: string) =>
          keep(await make(session.client.sendNow), phase, route),
    ),
  };
  const intrude = async (): Promise<Sample> => keep(await session.client.sendNow(intruder), 'intruder');
  const terms = { limit, windowMs, own };
  const judged = (all: readonly Sample[]): Verdict => judge(all, { ...terms, key: key.label });
  let samples = await runMinute({ ...io, intrude }, { ...terms, ...standing(clock.now() - 2 * windowMs) });
  const isLockedOut =
    mayBeLockedOut(samples, judged(samples), limit) && !isRefusedAnew(session, samples, limit, windowMs);
  if (isLockedOut || wasAway(session, samples, key)) {
    await clock.sleep(2 * windowMs);
    const since = clock.now();
    await session.client.waitUntilUnlocked(call);
    // Whether the lockout is over was asked with a call, which another of these keys may have made.
    samples = await runMinute(io, { ...terms, ...standing(since) });
  }
  await repeatBroken(session, driven, [...answers]);
  const verdict = judged(samples);
  const decisive = verdict.exceeded.firstRefused ?? samples.findLast((sample) => answers.has(sample)) ?? samples[0];
  const answerTo = (sample: Sample): Answer | undefined => answers.get(sample);
  return { subject, limit, samples, verdict, answerTo, decisive: answers.get(decisive as Sample) as Answer };
}

/** Reads of which the last one broke are made once more, at the key's pace: a 5xx that does not come again is an accident. */
async function repeatBroken(
  session: Session,
  { call, others }: Driven,
  made: readonly (readonly [Sample, Answer])[],
): Promise<void> {
  // In the order of sending: the last answer may be that to an earlier call.
  const reads = made
    .filter(([{ phase }, { exchange }]) => phase !== 'intruder' && exchange.request.method === 'GET')
    .sort(([, one], [, other]) => one.exchange.number - other.exchange.number);
  for (const { route, make } of [{ route: undefined, make: plainly(call).make }, ...others]) {
    const last = reads.findLast(([sample]) => sample.route === route);
    if (last !== undefined && last[1].status >= 500) {
      await resultOrNull(make(session.client.send));
    }
  }
}

/** Whether the calls with an unknown key may be what locked out the driven one: then it is driven once more, without them. */
function mayBeLockedOut(
  samples: readonly Sample[],
  { perMinute, exceeded, evidence }: Verdict,
  limit: number,
): boolean {
  const refused = samples.filter(({ phase, status }) => phase === 'intruder' && (status === 401 || status === 429));
  // A limiter by address counts them, and admits as many fewer.
  const isEarly = perMinute.verdict === 'fewer' && (perMinute.enforced ?? 0) < limit - refused.length;
  // A lockout with 429 that ends within the minute looks like a shorter window.
  const isShort = perMinute.verdict === 'more' && evidence.afterRefusal > limit;
  return refused.length > 0 && (isEarly || isShort || exceeded.verdict === 'fails');
}

/** Whether callers with other keys, or none, met a server that was away while the driven key did: that was no limit's refusal. */
function wasAway({ evidence }: Session, samples: readonly Sample[], { label }: ApiKey): boolean {
  const lost = samples.filter(
    ({ phase, key, status }) => phase !== 'before' && key === label && isGatewayError(status),
  );
  const [first, last] = [lost[0], lost.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    evidence.exchanges.some(
      ({ keyLabel, response, sentAt, receivedAt }) =>
        keyLabel !== label &&
        isGatewayError(response?.status ?? 0) &&
        receivedAt >= first.sentAt &&
        sentAt <= last.receivedAt,
    )
  );
}

/**
 * Whether the driven key was let in after its first refusal, and soon refused again, with no bad key in between and before as many
 * calls as are documented: no lockout does that.
 */
function isRefusedAnew({ evidence }: Session, samples: readonly Sample[], limit: number, windowMs: number): boolean {
  const anew = refusedAnew(samples, limit);
  if (anew === undefined) {
    return false;
  }
  // Segments hold a call for longer than a minute.
  const since = anew.again.sentAt - 1.5 * windowMs;
  const counted = samples.filter(
    ({ phase, status, sentAt }) => phase !== 'intruder' && status !== 429 && sentAt > since,
  );
  return (
    counted.length < limit &&
    evidence.exchanges.every(
      ({ keyValid, sentAt, receivedAt }) => keyValid || receivedAt < anew.back.sentAt || sentAt > anew.again.receivedAt,
    )
  );
}

/**
 * The calls since then that may have drawn on the budget: of its own key, and of others without what they got,
 * since it is open whether they count. So it is with calls whose key should have been refused and was not.
 */
function callsBefore({ evidence }: Session, { key, call, sharers }: Driven, since: number): Sample[] {
  const mayCount = ({ keyValid, keyLabel, response }: Exchange): boolean =>
    keyValid ? keyLabel !== null && sharers.includes(keyLabel) : response !== null && response.status < 400;
  return (
    inOrder(evidence)
      .filter((exchange) => exchange.sentAt >= since && mayCount(exchange))
      // Where refused calls count and this makes a refusal look too early, the key is driven once more.
      .filter(({ response }) => response?.status !== 429)
      .map((exchange) => {
        const isPlain = exchange.endpoint === call.endpoint?.id;
        return earlierSampleOf(exchange, isPlain ? undefined : (exchange.endpoint ?? 'an undocumented call'));
      })
      .map((sample) => (sample.key === key.label ? sample : { ...sample, key: key.label, status: 0 }))
  );
}

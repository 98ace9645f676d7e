import { endpointOf } from '../../../contract/endpoints.ts';
import { minuteAt } from '../../../contract/limits.ts';
import { judge, type Verdict } from '../../../limits/judge/judge.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { runMinute } from '../../../limits/procedure/minute.ts';
import type { MinuteIo } from '../../../limits/procedure/run.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { undecided } from '../../engine/expect.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { type Created, type Creation, createRecord } from '../../records/own.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { exchangeSample } from './limit-samples.ts';

/** A drive of a key, or a workspace, over its minute's limit, and what the judge of limits makes of it. */
export interface Drive extends Pick<DrivePlan, 'subject' | 'limit'> {
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
  /** The answer to the first call that was refused; where none was, to the last one. */
  readonly decisive: Answer;
  /** While how many others calls were refused, whatever the minute; null: calls at once are not limited. */
  readonly atOnce: number | null;
  /** The answer to a call of the drive. */
  answerTo(sample: Sample): Answer | undefined;
}

/** What is driven over its limit, and how. */
interface DrivePlan {
  /** Whose limit it is: `sandbox key`. */
  readonly subject: string;
  readonly key: ApiKey;
  /** Requests a minute. */
  readonly limit: number;
  /** The call that uses the limit up. */
  readonly call: Call;
  /** Calls of other kinds that draw on the same limit. Each is made once while the key is refused. */
  readonly others: readonly OtherCall[];
  /** Whether nobody but this run can use up the budget. */
  readonly isOwnBudget: boolean;
  /** Whether all of it is there: the run has just made the key, and no other draws on it. */
  readonly isUnused: boolean;
  /** The clause to blame where the key is refused with 401 from the first call on. */
  readonly blames: string;
}

/**
 * Drives a key over its limit. A key whose budget may be used up in part is idle first: a window passes, and two more
 * where its Remaining does not show that all of it is there then. The run is quiet meanwhile: no other call of its own is
 * refused or counts. Throws Skipped, and Inconclusive where the key is refused with 401.
 */
export async function driveOver(session: Session, plan: DrivePlan): Promise<Drive> {
  const { clock, client } = session;
  const { key, limit, subject, call } = plan;
  const windowMs = minuteAt(session.settings.CLOCK_SPEED);
  const terms = { limit, windowMs, own: plan.isOwnBudget };
  const answers = new Map<Sample, Answer>();
  let atOnce: number | null = null;
  const io: MinuteIo = {
    ...sendsOf(session, plan, answers),
    crowded: (most) => {
      atOnce = Math.min(most, atOnce ?? most);
    },
  };
  await client.waitUntilUnlocked(call);
  if (!plan.isUnused) {
    const last = session.evidence.exchanges.findLast(({ keyValid }) => keyValid)?.receivedAt ?? -Infinity;
    await clock.sleep(last + windowMs - clock.now());
  }
  const samples = await runMinute(io, { ...terms, idle: plan.isUnused });
  const verdict = judge(samples, { ...terms, key: key.label });
  await repeatBrokenReads(session, plan, [...answers]);
  const decisive = verdict.exceeded.firstRefused ?? samples.findLast((sample) => answers.has(sample)) ?? samples[0];
  const answerTo = (sample: Sample): Answer | undefined => answers.get(sample);
  return { subject, limit, samples, verdict, atOnce, answerTo, decisive: answers.get(decisive as Sample) as Answer };
}

/** What the procedure sends with. Keeps the answers by their samples. */
function sendsOf(
  session: Session,
  { call, key, others, blames }: DrivePlan,
  answers: Map<Sample, Answer>,
): Omit<MinuteIo, 'crowded'> {
  const { clock, client } = session;
  const keep = (answer: Answer, phase: string, route?: string): Sample => {
    const sample = exchangeSample(answer.exchange, phase, route);
    answers.set(sample, answer);
    return sample;
  };
  return {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    send: async (phase) => {
      const answer = await client.sendNow(call);
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
  };
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

/** A call that is made while the limit is used up, and must be refused as well. */
export interface OtherCall {
  /** Its name in findings: `POST /v1/agents`, `GET /v1/agents in query mode`. */
  readonly route: string;
  /** Sends it once with `send`. */
  make(send: (call: Call) => Promise<Answer>): Promise<Answer>;
}

/** A call that leaves nothing behind. `how` is appended to its name. */
export const plainCall = (call: Call, how = ''): OtherCall => ({
  route: `${call.endpoint?.id ?? `${call.method} ${call.path}`}${queryOf(call)}${how}`,
  make: (send) => send(call),
});

const queryOf = ({ query = {} }: Call): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

/** A create. What it makes is deleted at the end. */
export const createCall = (
  session: Session,
  collection: string,
  what: () => Creation | Promise<Creation>,
): OtherCall => ({
  route: `POST ${collection}`,
  make: async (send) => (await createRecord(session, collection, { ...(await what()), via: send })).answer,
});

/**
 * The deletion of a record that the run made, which no other call of the drive changes. Unless it was refused, the
 * record may be gone and its id, if that is counted, given to somebody's record: then the write guard stops a second
 * one.
 */
export const deleteCall = (
  session: Session,
  key: ApiKey,
  { collection, id, entry }: Omit<Created, 'answer'>,
): OtherCall => ({
  route: `DELETE ${collection}/:id`,
  async make(send) {
    const answer = await send(callOf(endpointOf(`DELETE ${collection}/:id`), key, { id }));
    if (![401, 403, 429].includes(answer.status)) {
      session.writeGuard.revoke(collection, id);
    }
    if (isSuccess(answer)) {
      session.ledger.remove(entry);
    }
    return answer;
  },
});

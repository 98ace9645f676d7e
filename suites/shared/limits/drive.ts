import { minuteAt } from '../../../contract/limits.ts';
import { judge } from '../../../limits/judge/judge.ts';
import { type Sample, sampleOf } from '../../../limits/judge/trace.ts';
import { runMinute } from '../../../limits/procedure/minute.ts';
import type { MinuteIo } from '../../../limits/procedure/run.ts';
import { type Exchange, headerOf } from '../../../results/exchange.ts';
import { isOutside } from '../../../results/likely-cause.ts';
import { resultOrNull } from '../../engine/check.ts';
import { describeAnswer, undecided } from '../../engine/expect.ts';
import { type Created, type Creation, createRecord, deleteRecord } from '../../records/own.ts';
import type { Answer, ApiKey, Call } from '../../session/call.ts';
import type { Evidence } from '../../session/evidence/evidence.ts';
import type { Session } from '../../session/session.ts';

/** A drive of a key, or a workspace, over its minute's limit, and what the judge of limits makes of it. */
export type Drive = Awaited<ReturnType<typeof driveOver>>;

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
  /** A key that draws on another limit. The call is made with it once while the key is refused. */
  readonly outsider?: ApiKey | undefined;
  /** Whether all of the budget is there for the run alone: it has just made the key, and no other draws on it. */
  readonly isUnused: boolean;
  /** The clause to blame where the key is refused with 401 from the first call on. */
  readonly blames: string;
}

/**
 * Drives a key over its limit. A key whose budget may be used up in part is idle first: a window passes, and two more
 * where its Remaining does not show that all of it is there then. The run is quiet meanwhile: no other call of its own
 * is refused or counts. Throws Skipped, and Inconclusive where the key is refused with 401.
 */
export async function driveOver(session: Session, plan: DrivePlan) {
  const { clock, client } = session;
  const { key, limit, subject, call, outsider } = plan;
  const others = [
    ...plan.others,
    ...(outsider === undefined ? [] : [plainCall({ ...call, key: outsider }, ` with ${outsider.label}`)]),
  ];
  const windowMs = minuteAt(session.settings.CLOCK_SPEED);
  const terms = { limit, windowMs, own: plan.isUnused };
  const answers = new Map<Sample, Answer>();
  const keep = (answer: Answer, phase: string, route?: string): Sample => {
    const sample = exchangeSample(answer.exchange, phase, route);
    answers.set(sample, answer);
    return sample;
  };
  let atOnce: number | null = null;
  const io: MinuteIo = {
    now: () => clock.now(),
    sleep: (ms) => clock.sleep(ms),
    send: async (phase) => {
      const answer = await client.sendNow(call);
      if (phase === 'opener' && answer.status === 401) {
        throw undecided(answer, `Cannot be judged: ${key.label} is refused: ${describeAnswer(answer)}`, plan.blames);
      }
      return keep(answer, phase);
    },
    probes: others.map(({ route, make }) => async (phase) => {
      // The write guard stops a call on a record that was deleted meanwhile.
      const answer = await resultOrNull(make(client.sendNow));
      return answer && keep(answer, phase, route);
    }),
    crowded: (most) => {
      atOnce = Math.min(most, atOnce ?? most);
    },
  };
  if (!plan.isUnused) {
    const last = session.evidence.exchanges.findLast(({ keyValid }) => keyValid)?.receivedAt ?? -Infinity;
    await clock.sleep(last + windowMs - clock.now());
  }
  const samples = await runMinute(io, { ...terms, idle: plan.isUnused });
  if ([...answers.values()].some(({ status }) => status === 401)) {
    // Where the key died meanwhile, this says so.
    await client.send(call);
  }
  await noteAccidents(session, { ...plan, others }, answers);
  const isOfPlatform = (sample: Sample): boolean => {
    const answer = sample.status === 429 ? answers.get(sample) : undefined;
    return answer !== undefined && session.evidence.isAccident(answer.exchange);
  };
  const verdict = judge(
    samples.filter((sample) => !isOfPlatform(sample)),
    { ...terms, key: key.label },
  );
  const decisive = verdict.exceeded.firstRefused ?? samples.findLast((sample) => answers.has(sample));
  return {
    subject,
    key,
    limit,
    outsider,
    samples,
    verdict,
    /** While how many others calls were refused, whatever the minute; null: calls at once are not limited. */
    atOnce,
    /** The answers to its calls. */
    answers: answers as ReadonlyMap<Sample, Answer>,
    /** The answer to the first call that was refused; where none was, to the last one. */
    decisive: answers.get(decisive as Sample) as Answer,
  };
}

/**
 * Notes accidents: reads that got a 5xx, while those like them before and after did not. Where the last one got it, it
 * is made again, at the key's pace. So are 429s of the platform: of the plain reads some got one in the API's form.
 */
async function noteAccidents(
  session: Session,
  { call, others }: DrivePlan,
  answers: ReadonlyMap<Sample, Answer>,
): Promise<void> {
  const isBroken = (answer: Answer | null | undefined): boolean => (answer?.status ?? 0) >= 500;
  const pages = new Set<string>();
  const reads = [...answers].filter(([, { exchange }]) => exchange.request.method === 'GET');
  for (const { route, make } of [{ ...plainCall(call), route: undefined }, ...others]) {
    const made = reads.flatMap(([sample, answer]) => (sample.route === route ? [answer] : []));
    const again = isBroken(made.at(-1)) ? await resultOrNull(make(session.client.send)) : null;
    const limited = made.filter(({ status }) => status === 429);
    const outside = limited.filter(({ exchange }) => isOutside(exchange));
    if (outside.length < limited.length) {
      outside.forEach(({ text }) => void pages.add(text));
    }
    const accidents = made.filter(
      (answer, at) => isBroken(answer) && !isBroken(made[at - 1]) && !isBroken(made[at + 1] ?? again),
    );
    for (const { exchange } of [...accidents, ...limited.filter(({ text }) => pages.has(text))]) {
      session.evidence.noteAccident(exchange);
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
export function plainCall(call: Call, how = ''): OtherCall {
  const pairs = Object.entries(call.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  const name = call.endpoint?.id ?? `${call.method} ${call.path}`;
  return { route: `${name}${query}${how}`, make: (send) => send(call) };
}

/** A create. What it makes is deleted at the end. */
export const createCall = (
  session: Session,
  collection: string,
  what: () => Creation | Promise<Creation>,
): OtherCall => ({
  route: `POST ${collection}`,
  make: async (send) => (await createRecord(session, collection, { ...(await what()), via: send })).answer,
});

/** The deletion of a record that the run made, which no other call of the drive changes. */
export const deleteCall = (session: Session, key: ApiKey, record: Omit<Created, 'answer'>): OtherCall => ({
  route: `DELETE ${record.collection}/:id`,
  make: (send) => deleteRecord(session, record, { key, via: send }),
});

/** A sample for the judge of limits. `phase`: what the call was for. `route`: what it called, if not the plain read. */
export function exchangeSample(exchange: Exchange, phase: string, route?: string): Sample {
  const { sentAt, receivedAt, response, keyLabel } = exchange;
  const call = { sentAt, receivedAt, phase, key: String(keyLabel), status: response?.status ?? 0 };
  const sample = sampleOf(call, (name) => (response === null ? null : headerOf(response.headers, name)));
  return route === undefined ? sample : { ...sample, route };
}

/** All exchanges of the run so far with a valid key, in the order of sending. */
export const keyedExchanges = ({ exchanges }: Pick<Evidence, 'exchanges'>): Exchange[] =>
  exchanges.filter(({ keyValid }) => keyValid).sort((one, other) => one.sentAt - other.sentAt);

import { judge, type Verdict } from '../../load/judge/judge.ts';
import type { Sample } from '../../load/judge/trace.ts';
import { runMinute } from '../../load/procedure/minute.ts';
import { minuteMs, planLimits } from '../../contract/limits.ts';
import { callOf, type Answer, type Call } from '../kit/call.ts';
import { findingOn } from '../kit/expect.ts';
import type { ApiKey } from '../kit/key.ts';
import { Inconclusive } from '../kit/stop.ts';
import type { Finding } from '../kit/verdict.ts';
import { changed } from './changes.ts';
import { changing, kinds, listing } from './endpoints.ts';
import { neverIssued } from './keys.ts';
import { firstPage } from './lists.ts';
import { succeeded } from './records.ts';
import { requireKey, type WorkspaceSession } from './session.ts';

/** The workspace driven over its minute's limit: the trace, its judgement, and the answers behind it. */
export interface Drive {
  readonly limit: number;
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
  /** The answer to the first call that was refused, else to the last call. */
  readonly telling: Answer;
  /** What the second key got while the first was refused, and whether the first was still refused afterwards; null: not tried. */
  readonly second: Second | null;
}

export interface Second {
  readonly answers: readonly Answer[];
  readonly refusedAfterwards: boolean;
}

/** So many calls of the second key that a bucket's refill in between does not look like a budget of its own. */
const secondCalls = 3;

/**
 * Drives the workspace over its limit, once a run, when everything else is done and two quiet minutes have passed. Throws
 * Skipped where EXHAUST forbids it, Inconclusive where no documented read works.
 */
export const overLimit = (session: WorkspaceSession): Promise<Drive> => session.once('over the limit', async () => {
  session.client.mayExhaust(session.key);
  const calls = await rotation(session);
  await session.others;
  const windowMs = minuteMs / session.settings.CLOCK_SPEED;
  await session.clock.sleep(2 * windowMs);
  return drive(session, { calls, windowMs, limit: planLimits[session.settings.WORKSPACE_PLAN].perMinute });
});

/** Reads of every resource and, where an agent of the run's can be changed, a write: all draw on one limit. */
async function rotation(session: WorkspaceSession): Promise<readonly Call[]> {
  const pages = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await firstPage(session, kind) })));
  const reads = pages.filter(({ answer }) => succeeded(answer)).map(({ kind }) => callOf(listing(kind), session.key));
  const change = await changed(session, 'agents').catch(() => null);
  if (reads[0] === undefined) throw new Inconclusive({ message: 'The limit is not tried: no list can be read', cause: 'See workspace.agents.list' });
  if (change === null || !succeeded(change.answer)) return reads;
  return [...reads, callOf(changing('agents'), session.key, { id: change.record.id, body: change.body })];
}

async function drive(session: WorkspaceSession, { calls, windowMs, limit }: { calls: readonly Call[]; windowMs: number; limit: number }): Promise<Drive> {
  const [answers, second] = [new Map<Sample, Answer>(), secondKey(session)];
  const [unknown] = neverIssued(session.key);
  let turn = 0;
  let tried: Promise<Answer[]> | null = null;
  const send = async (phase: string, rest: Partial<Call> = {}): Promise<Sample> => {
    const call = calls[turn % calls.length] as Call;
    turn += 1;
    const answer = await session.client.once({ ...call, ...rest });
    const sample = sampleOf(answer, rest.key?.label ?? session.key.label, phase);
    answers.set(sample, answer);
    return sample;
  };
  const samples = await runMinute({
    now: () => session.clock.now(), sleep: (ms) => session.clock.sleep(ms), send: (phase) => send(phase),
    intrude: async () => sampleOf(await session.client.once({ ...(calls[0] as Call), key: unknown, purpose: 'refusal' }), unknown.label, 'intruder'),
    progress: (step) => {
      if (step === 'burst' && second !== null && [...answers.keys()].some(({ status }) => status === 429)) tried ??= withSecond(session, calls[0] as Call, second);
    },
  }, { limit, windowMs, idle: true });
  const refused = samples.find(({ key, status }) => key === session.key.label && status === 429) ?? samples.at(-1);
  const probes = samples.filter(({ phase }) => phase === 'probe');
  return {
    limit, samples, verdict: judge(samples, { limit, windowMs, key: session.key.label }), telling: answers.get(refused as Sample) as Answer,
    second: tried === null ? null : { answers: await tried, refusedAfterwards: probes[0]?.status === 429 },
  };
}

const withSecond = (session: WorkspaceSession, call: Call, key: ApiKey): Promise<Answer[]> =>
  Promise.all(Array.from({ length: secondCalls }, () => session.client.once({ ...call, key })));

function secondKey(session: WorkspaceSession): ApiKey | null {
  return session.settings.WORKSPACE_SECOND_API_KEY === undefined ? null : requireKey(session, 'WORKSPACE_SECOND_API_KEY');
}

/** An answer as the judge of limits wants it. */
function sampleOf(answer: Answer, key: string, phase: string): Sample {
  const { sentAt, receivedAt } = answer.exchange;
  return {
    sentAt, receivedAt, status: answer.status, key, phase,
    limit: answer.header('X-RateLimit-Limit'), remaining: answer.header('X-RateLimit-Remaining'), reset: answer.header('X-RateLimit-Reset'),
    retryAfter: answer.header('Retry-After'), date: answer.header('Date'),
  };
}

/** A finding of the judge's, with the exchange that tells most. */
export const findingFrom = ({ telling }: Drive, text: Omit<Finding, 'request' | 'response' | 'curl' | 'exchange'>): Finding => findingOn(telling, text);

import { minuteMs, planLimits } from '../../contract/limits.ts';
import { judge, type Verdict } from '../../limits/judge/judge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { Inconclusive } from '../../results/stop.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import { changed } from './changes.ts';
import { deleteEntries } from './clean-up.ts';
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
  readonly after: After;
}

/** What calls got right after the first refusal; no calls where nothing was refused with 429. */
export interface After {
  /** Each documented call of the drive, with the key that was refused. */
  readonly calls: readonly { readonly name: string; readonly statuses: readonly number[] }[];
  /** The second key of the workspace; none where it is not set. */
  readonly second: readonly Answer[];
  /** The first key was still refused when all that was answered: no window ended in between. */
  readonly refusedAfterwards: boolean;
}

/** So many calls of each kind that a bucket's refill in between does not look like a budget of its own. */
const afterCalls = 3;

/**
 * Drives the workspace over its limit, once a run, when everything else is done and two quiet minutes have passed. Throws
 * Skipped where EXHAUST forbids it, Inconclusive where no documented read works.
 */
export const overLimit = (session: WorkspaceSession): Promise<Drive> =>
  session.once('over the limit', async () => {
    session.client.mayExhaust(session.key);
    const calls = await rotation(session);
    await session.others;
    await tidyUp(session, calls);
    const windowMs = minuteMs / session.settings.CLOCK_SPEED;
    await session.clock.sleep(2 * windowMs);
    return drive(session, { calls, windowMs, limit: planLimits[session.settings.WORKSPACE_PLAN].perMinute });
  });

/** Reads of every resource and, where an agent of the run's can be changed, a write: all draw on one limit. */
async function rotation(session: WorkspaceSession): Promise<readonly Call[]> {
  const pages = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await firstPage(session, kind) })));
  const reads = pages.filter(({ answer }) => succeeded(answer)).map(({ kind }) => callOf(listing(kind), session.key));
  const change = await changed(session, 'agents').catch(() => null);
  if (reads[0] === undefined) {
    throw new Inconclusive({
      message: 'The limit is not tried: no list can be read',
      blames: 'workspace.agents.list',
    });
  }
  if (change === null || !succeeded(change.answer)) {
    return reads;
  }
  return [...reads, callOf(changing('agents'), session.key, { id: change.record.id, body: change.body })];
}

/** What the drive does not need is deleted before it: a limiter that never lets go would keep it for ever. */
async function tidyUp(session: WorkspaceSession, calls: readonly Call[]): Promise<void> {
  const kept = calls.map(({ path }) => path);
  await deleteEntries(
    session,
    session.ledger
      .open()
      .filter(({ collection, id }) => !kept.includes(`${collection}/${encodeURIComponent(id ?? '')}`)),
  );
}

async function drive(
  session: WorkspaceSession,
  { calls, windowMs, limit }: { calls: readonly Call[]; windowMs: number; limit: number },
): Promise<Drive> {
  const answers = new Map<Sample, Answer>();
  const [unknown] = neverIssued(session.key);
  let followed: ReturnType<typeof afterRefusal> | undefined;
  const [plain] = calls as [Call];
  let turn = 0;
  const isOwnRefusal = ({ key, status }: Sample): boolean => key === session.key.label && status === 429;
  const send = async (phase: string, call: Call): Promise<Sample> => {
    const answer = await session.client.once(call);
    const sample = sampleOf(answer, String(answer.exchange.keyLabel), phase);
    answers.set(sample, answer);
    return sample;
  };
  const trace = await runMinute(
    {
      now: () => session.clock.now(),
      sleep: (ms) => session.clock.sleep(ms),
      // The limit is used up by calls of every kind; what is looked at before and afterwards is one call.
      send: (phase) => send(phase, phase.includes('burst') ? (calls[turn++ % calls.length] as Call) : plain),
      intrude: () => send('intruder', { ...plain, key: unknown, purpose: 'refusal' }),
      progress: () => {
        if ([...answers.keys()].some(isOwnRefusal)) {
          followed ??= afterRefusal(session, calls, send);
        }
      },
    },
    { limit, windowMs, idle: true },
  );
  const after = (await followed) ?? { calls: [], second: [] };
  const alone = [...answers.keys()];
  const terms = { limit, windowMs, key: session.key.label };
  const shared = [...alone, ...after.second.map((answer) => sampleOf(answer, session.key.label, 'after refusal'))];
  // A window that ended among the second key's calls admitted them: then they stand in the workspace's count.
  const samples = judge(shared, terms).perMinute.verdict === 'holds' ? shared : alone;
  const verdict = judge(samples, terms);
  const again = verdict.window.algorithm.startsWith('fixed')
    ? await secondWindow(session, { limit, windowMs }, (phase) => send(phase, plain))
    : [];
  const refused = trace.find(isOwnRefusal) ?? trace.at(-1);
  return {
    limit,
    samples,
    verdict: { ...verdict, recovery: judge([...samples, ...again], terms).recovery },
    telling: answers.get(refused as Sample) as Answer,
    after: { ...after, refusedAfterwards: trace.find(({ phase }) => phase === 'probe')?.status === 429 },
  };
}

/**
 * Fills the window after the first one, and looks for its end: a fixed window may have been near its end when the first one
 * was filled, however long it is.
 */
async function secondWindow(
  session: WorkspaceSession,
  { limit, windowMs }: { limit: number; windowMs: number },
  send: (phase: string) => Promise<Sample>,
): Promise<Sample[]> {
  const { clock } = session;
  const samples = await Promise.all(Array.from({ length: limit + 3 }, () => send('second window')));
  const until = clock.now() + windowMs * (1 + 4 / 60);
  if (!samples.some(({ status }) => status === 429)) {
    return samples;
  }
  while (clock.now() < until) {
    await clock.sleep(windowMs / 28);
    const sample = await send('second probe');
    samples.push(sample);
    if (succeeded(sample)) {
      break;
    }
  }
  return samples;
}

/** Right after a refusal: each call of the drive once more, and the second key. */
async function afterRefusal(
  session: WorkspaceSession,
  calls: readonly Call[],
  send: (phase: string, call: Call) => Promise<Sample>,
): Promise<Omit<After, 'refusedAfterwards'>> {
  const times = Array.from({ length: afterCalls });
  const keys =
    session.settings.WORKSPACE_SECOND_API_KEY === undefined ? [] : [requireKey(session, 'WORKSPACE_SECOND_API_KEY')];
  const [again, second] = await Promise.all([
    Promise.all(
      calls.map(async (call) => ({
        name: `${call.method} ${call.path}`,
        statuses: (await Promise.all(times.map(() => send('after refusal', call)))).map(({ status }) => status),
      })),
    ),
    Promise.all(keys.flatMap((key) => times.map(() => session.client.once({ ...(calls[0] as Call), key })))),
  ]);
  return { calls: again, second };
}

/** An answer as the judge of limits wants it. */
function sampleOf(answer: Answer, key: string, phase: string): Sample {
  const { sentAt, receivedAt } = answer.exchange;
  return {
    sentAt,
    receivedAt,
    status: answer.status,
    key,
    phase,
    limit: answer.header('X-RateLimit-Limit'),
    remaining: answer.header('X-RateLimit-Remaining'),
    reset: answer.header('X-RateLimit-Reset'),
    retryAfter: answer.header('Retry-After'),
    date: answer.header('Date'),
  };
}

import { messageOf } from '../../common/message-of.ts';
import { minuteMs } from '../../contract/limits.ts';
import { judge, type Verdict } from '../../limits/judge/judge.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { collect } from '../../load/runner/collect.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { launch } from '../../load/runner/launch.ts';
import { planOf } from '../../load/seam/make-plan.ts';
import { key, type RealLimiter, type Served } from './limiter.ts';

/** Short, so that a run ends soon, but long enough for a burst to take only a small part of it. */
const windowMs = 12_000;
const limit = 60;
const terms = { limit, windowMs, own: true };
/** A limiter, and the verdicts of both procedures, or why there is none. */
interface Row {
  readonly limiter: RealLimiter;
  readonly drive: Verdict | string;
  readonly k6: Verdict | string;
}

async function callOnce(url: string, sentKey: string, phase: string, label: string): Promise<Sample> {
  const sentAt = performance.timeOrigin + performance.now();
  const response = await fetch(url, { headers: { 'X-API-Key': sentKey } }).catch(() => null);
  await response?.arrayBuffer();
  const receivedAt = performance.timeOrigin + performance.now();
  return sampleOf({ sentAt, receivedAt, status: response?.status ?? 0, key: label, phase }, (name) =>
    response === null ? null : response.headers.get(name),
  );
}

/** The verdict by the suites' procedure. */
async function drive({ origin }: Served): Promise<Verdict> {
  const io = {
    send: (phase: string) => callOnce(`${origin}/one`, key, phase, 'key'),
    intrude: () => callOnce(`${origin}/one`, 'svc_test_nobody', 'intruder', 'unknown'),
    probes: [
      async (phase: string) => ({
        ...(await callOnce(`${origin}/two?limit=2`, key, phase, 'key')),
        route: 'GET /two?limit=2',
      }),
    ],
    now: () => performance.timeOrigin + performance.now(),
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, ms);
      }),
  };
  return judge(await runMinute(io, { ...terms, idle: true }), { ...terms, key: 'key' });
}

/** The verdict by k6's script; a text if there is none. The served limit is that of a live key. */
async function byK6({ origin }: Served): Promise<Verdict | string> {
  try {
    const say = (line: string): void => void process.stderr.write(`${line}\n`);
    const k6 = await findK6({ env: process.env, say });
    const variables = {
      BASE_URL: origin,
      LIVE_API_KEY: key,
      EXHAUST: 'all',
      CLOCK_SPEED: String(minuteMs / windowMs),
      LOAD_ALONE: '1',
    };
    const plan = planOf('per-minute', variables);
    const { signal } = new AbortController();
    const ended = await launch({ k6, plan, variables, env: process.env, options: [], onLine: () => {}, say, signal });
    const { judged, defects } = collect(ended, plan);
    return defects.join('; ') || ((judged.get('LIVE_API_KEY')?.detail ?? 'nothing was judged') as Verdict | string);
  } catch (error) {
    return messageOf(error);
  }
}

/** Judges some limiters by both procedures, one after the other, each with fresh servers. */
export async function driveAll(limiters: readonly RealLimiter[]): Promise<Row[]> {
  const all = (by: (one: Served) => Promise<Verdict | string>): Promise<(Verdict | string)[]> =>
    Promise.all(
      limiters.map(async ({ serve, change }) => {
        const one = await serve({ limit: limit + change, windowMs });
        return by(one).finally(one.close);
      }),
    );
  const drives = await all(drive);
  const k6 = await all(byK6);
  return limiters.map((limiter, at) => ({ limiter, drive: drives[at] ?? '', k6: k6[at] ?? '' }));
}

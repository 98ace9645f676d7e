import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { minuteMs } from '../../contract/limits.ts';
import { judge, type Verdict } from '../../limits/judge/judge.ts';
import { sinceOpener } from '../../limits/judge/since-opener.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { collect } from '../../load/runner/collect.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { launch } from '../../load/runner/launch.ts';
import type { Plan, Subject } from '../../load/seam/plan.ts';
import { plainPlan } from '../../selftest/unit/load/plain-plan.ts';
import { key, NotHere, type RealLimiter, type Served } from './limiter.ts';

/** Short, so that a run ends soon, but long enough for a burst to take only a small part of it. */
const windowMs = 12_000;
const limit = 60;
const terms = { limit, windowMs, own: true };
/** A limiter, and the verdicts of both procedures, or why there is none. */
export interface Row {
  readonly limiter: RealLimiter;
  readonly drive: Verdict | string;
  readonly k6: Verdict | string;
}

export const labelOf = ({ name, configured }: RealLimiter): string => `${name}: ${configured}`;

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

const subjectOf = (limiter: RealLimiter, { origin }: Served): Subject => ({
  label: labelOf(limiter),
  api: 'developer',
  keyEnv: 'LIMITER_KEY',
  url: `${origin}/one`,
  limit,
  perDay: null,
  alone: true,
  unknownKey: 'svc_test_nobody',
});

const planFor = (subjects: readonly Subject[]): Plan =>
  plainPlan({
    run: `limiters-${Date.now()}`,
    script: 'per-minute',
    clockSpeed: minuteMs / windowMs,
    subjects,
    boundMs: 20 * windowMs,
  });

/** The verdicts by k6's script, by label; a text if it could not run. */
async function byK6(subjects: readonly Subject[]): Promise<ReadonlyMap<string, Verdict> | string> {
  const folder = mkdtempSync(join(tmpdir(), 'limiters-'));
  try {
    const k6 = await findK6({ env: process.env, say: (line) => process.stderr.write(`${line}\n`) });
    const plan = planFor(subjects);
    const secrets = { LIMITER_KEY: key };
    const { signal } = new AbortController();
    const instance = await launch({ k6, plan, secrets, folder, env: process.env, onLine: () => {}, signal }, 0, 1);
    const { bySubject, defects } = collect([instance], plan);
    if (defects.length > 0) {
      return defects.join('; ');
    }
    return new Map(
      [...bySubject].map(([label, samples]) => [
        label,
        judge(sinceOpener(samples, terms.limit), { ...terms, key: label }),
      ]),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Serves some limiters and judges each by both procedures, one after the other, each with fresh servers. */
export async function driveAll(limiters: readonly RealLimiter[]): Promise<Row[]> {
  const serveAll = (): Promise<(Served | string)[]> =>
    Promise.all(
      limiters.map(({ serve, change }) =>
        serve({ limit: limit + change, windowMs }).catch((error: unknown) => {
          if (error instanceof NotHere) {
            return 'not here';
          }
          throw error;
        }),
      ),
    );
  const withServers = async <T>(body: (served: readonly (Served | string)[]) => Promise<T>): Promise<T> => {
    const served = await serveAll();
    try {
      return await body(served);
    } finally {
      await Promise.all(served.map((one) => (typeof one === 'string' ? null : one.close())));
    }
  };
  const drives = await withServers((served) =>
    Promise.all(served.map((one) => (typeof one === 'string' ? one : drive(one)))),
  );
  const k6 = await withServers((served) =>
    byK6(
      limiters.flatMap((limiter, index) => {
        const one = served[index];
        return one === undefined || typeof one === 'string' ? [] : [subjectOf(limiter, one)];
      }),
    ),
  );
  return limiters.map((limiter, index) => {
    const found = typeof k6 === 'string' ? k6 : (k6.get(labelOf(limiter)) ?? 'no trace');
    const isHere = drives[index] !== 'not here';
    return { limiter, drive: drives[index] ?? 'not here', k6: isHere ? found : 'not here' };
  });
}

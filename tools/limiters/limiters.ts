import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, createCommand } from '../../cli/command.ts';
import { minuteMs } from '../../contract/limits.ts';
import { judge, type Verdict } from '../../limits/judge/judge.ts';
import { type Sample, sinceOpener } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { collect } from '../../load/runner/collect.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { launch } from '../../load/runner/launch.ts';
import type { Plan, Subject } from '../../load/seam/plan.ts';
import { key, NotHere, type RealLimiter, type Served } from './limiter.ts';
import { packages } from './packages.ts';
import { programs } from './programs.ts';

/** Short enough to be bounded, long enough for a burst to take a small part of it. */
const windowMs = 12_000;
const limit = 60;
const terms = { limit, windowMs, own: true };
/** How many are driven at once: on few cores more would slow down each other's bursts. */
const atOnce = 5;

interface Row {
  readonly limiter: RealLimiter;
  readonly drive: Verdict | string;
  readonly k6: Verdict | string;
}

const labelOf = ({ name, configured }: RealLimiter): string => `${name}: ${configured}`;

async function callOnce(url: string, sentKey: string, phase: string, label: string): Promise<Sample> {
  const sentAt = performance.timeOrigin + performance.now();
  const response = await fetch(url, { headers: { 'X-API-Key': sentKey } }).catch(() => null);
  await response?.arrayBuffer();
  const header = (name: string): string | null => response?.headers.get(name) ?? null;
  return {
    sentAt,
    receivedAt: performance.timeOrigin + performance.now(),
    status: response?.status ?? 0,
    limit: header('X-RateLimit-Limit'),
    remaining: header('X-RateLimit-Remaining'),
    reset: header('X-RateLimit-Reset'),
    retryAfter: header('Retry-After'),
    date: header('Date'),
    key: label,
    phase,
  };
}

/** What the suites' drive finds. */
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

function planFor(subjects: readonly Subject[]): Plan {
  return {
    run: `limiters-${Date.now()}`,
    script: 'per-minute',
    clockSpeed: minuteMs / windowMs,
    timeoutMs: 30_000,
    subjects,
    shooters: 1,
    vus: subjects.length,
    boundMs: 20 * windowMs,
    startAt: null,
    bursts: 1,
    spent: {},
    calls: null,
    restore: false,
    soakMs: 0,
    reads: { developer: [], workspace: [] },
    probes: { developer: [], workspace: [] },
    pace: 1,
  };
}

/** What k6's script finds, by label; what kept it from running, as a text. */
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
      [...bySubject].map(([label, samples]) => [label, judge(sinceOpener(samples), { ...terms, key: label })]),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Serves a few limiters, drives each by either means, one means after the other on servers of its own. */
async function batch(limiters: readonly RealLimiter[]): Promise<Row[]> {
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
  return limiters.map((limiter, index) => ({
    limiter,
    drive: drives[index] ?? 'not here',
    k6:
      drives[index] === 'not here'
        ? 'not here'
        : typeof k6 === 'string'
          ? k6
          : (k6.get(labelOf(limiter)) ?? 'no trace'),
  }));
}

const isRight = ({ expected }: RealLimiter, found: Verdict | string): boolean =>
  found === 'not here' || (typeof found !== 'string' && [...expected, 'undecided'].includes(found.perMinute.verdict));

function told(found: Verdict | string): string {
  if (typeof found === 'string') {
    return found;
  }
  const { perMinute, window, recovery } = found;
  const number = perMinute.enforced === null ? '' : ` ${perMinute.enforced}`;
  return `${perMinute.verdict}${number}; ${window.algorithm}; recovery ${recovery.verdict}`;
}

function page(rows: readonly Row[]): string {
  const lines = rows.map(({ limiter, drive: one, k6 }) => {
    const expected = limiter.expected.join(' or ');
    return `| ${limiter.name} | ${limiter.configured} | ${expected} | ${told(one)} | ${told(k6)} |`;
  });
  return `# Real limiters, and what is found of them

Made by \`npm run limiters\`: limiters that come as packages, and those of the system where the machine has them, on loopback,
told to allow ${limit} calls in ${windowMs / 1000} s (or one less, or one more). Each is driven over its limit twice, by the suites' drive
and by k6's \`per-minute\`; both send what [limits/procedure](../limits/procedure/minute.ts) says, and [limits/judge](../limits/README.md)
decides. Times in headers are not judged, since the minute is a short one. *undecided* is never counted as wrong, and is shown.

| limiter | configured as | right to say | the suites' drive | k6 |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

async function main(): Promise<number> {
  const all = [...packages, ...programs];
  const rows: Row[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    const some = await batch(all.slice(start, start + atOnce));
    for (const { limiter, drive: one, k6 } of some) {
      process.stdout.write(`${labelOf(limiter)}\n   drive: ${told(one)}\n   k6:    ${told(k6)}\n`);
    }
    rows.push(...some);
  }
  writeFileSync(fileURLToPath(new URL('../../docs/limiters.md', import.meta.url)), page(rows));
  const wrong = rows.filter(({ limiter, drive: one, k6 }) => !isRight(limiter, one) || !isRight(limiter, k6));
  const open = rows.filter((row) =>
    [row.drive, row.k6].some((one) => typeof one !== 'string' && one.perMinute.verdict === 'undecided'),
  );
  process.stdout.write(
    `${rows.length} limiters, ${wrong.length} misjudged, ${open.length} left open by one means or both; docs/limiters.md\n`,
  );
  for (const { limiter, drive: one, k6 } of wrong) {
    for (const found of [one, k6].filter((each) => typeof each !== 'string')) {
      process.stdout.write(`${labelOf(limiter)}: ${found.perMinute.says}\n`);
    }
  }
  return wrong.length === 0 ? 0 : 1;
}

commandLine(
  createCommand(
    'limiters',
    '',
    "Drives real limiters on loopback, each right and wrong by one, over their limit by the suites' procedure and by k6's. Says limiter by limiter what either found, and writes docs/limiters.md. Ends with 1 where one of them was misjudged.",
  ),
);
process.exit(await main());

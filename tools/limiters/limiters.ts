import { setTimeout as sleep } from 'node:timers/promises';
import { createCommand } from '../../cli/command.ts';
import { judge, type Verdict } from '../../limits/judge/judge.ts';
import { type Sample, sampleOf } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { commandLine } from '../command.ts';
import { key, type RealLimiter, type Served } from './limiter.ts';
import { packages } from './packages.ts';
import { programs } from './programs.ts';

/** Short, so that a run ends soon, but long enough for a burst to take only a small part of it. */
const windowMs = 12_000;
const limit = 60;
const terms = { limit, windowMs, own: true };
/** How many are judged at the same time: on few cores, more would slow down each other's bursts. */
const atOnce = 5;

const now = (): number => performance.timeOrigin + performance.now();

async function callOnce(url: string, sentKey: string, phase: string, label: string): Promise<Sample> {
  const sentAt = now();
  const response = await fetch(url, { headers: { 'X-API-Key': sentKey } }).catch(() => null);
  await response?.arrayBuffer();
  const call = { sentAt, receivedAt: now(), status: response?.status ?? 0, key: label, phase };
  return sampleOf(call, (name) => response?.headers.get(name) ?? null);
}

/** The verdict by the procedure that the suites and k6 share. */
async function drive({ origin }: Served): Promise<Verdict> {
  const route = 'GET /two?limit=2';
  const io = {
    send: (phase: string) => callOnce(`${origin}/one`, key, phase, 'key'),
    intrude: () => callOnce(`${origin}/one`, 'svc_test_nobody', 'intruder', 'unknown'),
    probes: [async (phase: string) => ({ ...(await callOnce(`${origin}/two?limit=2`, key, phase, 'key')), route })],
    now,
    sleep: (ms: number): Promise<void> => sleep(ms),
  };
  return judge(await runMinute(io, { ...terms, idle: true }), { ...terms, key: 'key' });
}

/** Judges a limiter, and prints the verdict. Resolves with what is wrong with it, if anything. */
async function wrongOf({ name, configured, change, expected, serve }: RealLimiter): Promise<readonly string[]> {
  const served = await serve({ limit: limit + change, windowMs });
  const { perMinute, window, recovery } = await drive(served).finally(served.close);
  const label = `${name}: ${configured}`;
  const number = perMinute.enforced === null ? '' : ` ${perMinute.enforced}`;
  process.stdout.write(
    `${label}\n   ${perMinute.verdict}${number}; ${window.algorithm}; recovery ${recovery.verdict}\n`,
  );
  return [...expected, 'undecided'].includes(perMinute.verdict) ? [] : [`${label}: ${perMinute.says}\n`];
}

commandLine(
  createCommand(
    'limiters',
    '',
    'Judges real limiters on loopback, each with the right limit and with wrong ones, by the calls of the suites and of k6. Ends with 1 if one of them is misjudged.',
  ),
);
const all = [...packages, ...programs];
const wrong: string[] = [];
for (let start = 0; start < all.length; start += atOnce) {
  wrong.push(...(await Promise.all(all.slice(start, start + atOnce).map(wrongOf))).flat());
}
process.stdout.write(
  `${all.length} limiters (nginx and haproxy only where they are installed), ${wrong.length} verdicts wrong\n${wrong.join('')}`,
);
process.exit(wrong.length === 0 ? 0 : 1);

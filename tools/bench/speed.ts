import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createCommand } from '../../cli/command.ts';
import { start } from '../../selftest/e2e/run-suite.ts';
import { setup, teardown } from '../../selftest/scratch.ts';
import { commandLine } from '../command.ts';

/** Runs at real speed: the API, EXHAUST, the workspace's plan, how far away the deployment is, and the aim in seconds. */
const runs = [
  ['developer', 'none', 'starter', 20, 15],
  ['developer', 'own', 'starter', 20, 75],
  ['workspace', 'none', 'starter', 20, 130],
  ['workspace', 'all', 'starter', 20, 200],
  ['workspace', 'all', 'professional', 20, 75],
  ['workspace', 'all', 'enterprise', 20, 75],
  ['developer', 'none', 'starter', 100, 24],
  ['workspace', 'none', 'enterprise', 100, 26],
] as const;

/** Settings of the reference that the runs leave out, so that each is the run of a usual user. */
const leftOut = new Set(['ENTERPRISE_API_KEY', 'ENTERPRISE_PER_MINUTE', 'CLOCK_SPEED']);

/** Judges a reference in a process of its own, whose answers take that long and whose limits count real minutes. */
async function measure([api, exhaust, plan, latencyMs, aimS]: (typeof runs)[number]): Promise<string> {
  const options = ['cli/reference.ts', '--latency', String(latencyMs), '--plan', plan];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const printed = Object.entries(JSON.parse(line.toString()) as Record<string, unknown>);
    const given = printed.flatMap(([name, value]) => (leftOut.has(name) ? [] : [[name, String(value)]]));
    const began = performance.now();
    const { code, reports } = await start('cli/test.ts', [api], {
      ...Object.fromEntries(given),
      ...{ EXHAUST: exhaust, WRITES: 'all' },
    }).ended;
    const seconds = (performance.now() - began) / 1000;
    const { requests, timing } = JSON.parse(reports.get('conformance.json') ?? '{}');
    const least = `at least ${timing.leastMs / 1000} s by the limits`;
    return `${seconds.toFixed(0)} s of ${aimS} s: ${api}, ${plan}, EXHAUST=${exhaust}, ${latencyMs} ms away; ${least}, ${requests[api]} calls, exit status ${code}`;
  } finally {
    child.kill();
  }
}

commandLine(createCommand('bench:speed', '', 'Measures whole runs at real speed. Takes eight minutes.'));
setup();
for (const run of runs) {
  process.stdout.write(`${await measure(run)}\n`);
}
teardown();

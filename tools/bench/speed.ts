import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { createCommand } from '../../cli/command.ts';
import type { Timing } from '../../results/timing.ts';
import { type Ended, start } from '../../selftest/e2e/run-suite.ts';
import { setup, teardown } from '../../selftest/scratch.ts';
import { commandLine } from '../command.ts';
import { machine, table } from '../page.ts';

/** A run at real speed: which API, how its limits may be used up, how far away the deployment is, and the aim. */
interface Distance {
  readonly api: 'developer' | 'workspace';
  readonly exhaust: 'none' | 'own' | 'all';
  readonly plan?: string;
  readonly latencyMs: number;
  readonly aimS: number;
}

/**
 * How many round trips of 100 ms a run takes in which any number of calls may be under way, and no limit is in the way:
 * its longest chain of calls that wait for one another, and the waits that the settings ask for. From runs in virtual
 * time.
 */
const chains = { developer: 159, workspace: 175 };
const farMs = 100;

/** The aim for a deployment that is far away: half as much again as the chain. */
const farAimS = (api: Distance['api']): number => Math.round((1.5 * chains[api] * farMs) / 1000);

const runs: readonly Distance[] = [
  { api: 'developer', exhaust: 'none', latencyMs: 20, aimS: 15 },
  { api: 'developer', exhaust: 'own', latencyMs: 20, aimS: 75 },
  { api: 'workspace', exhaust: 'none', plan: 'starter', latencyMs: 20, aimS: 130 },
  { api: 'workspace', exhaust: 'all', plan: 'starter', latencyMs: 20, aimS: 200 },
  { api: 'workspace', exhaust: 'all', plan: 'professional', latencyMs: 20, aimS: 75 },
  { api: 'workspace', exhaust: 'all', plan: 'enterprise', latencyMs: 20, aimS: 75 },
  { api: 'developer', exhaust: 'none', latencyMs: farMs, aimS: farAimS('developer') },
  { api: 'workspace', exhaust: 'none', plan: 'enterprise', latencyMs: farMs, aimS: farAimS('workspace') },
];

const reference = resolve(import.meta.dirname, '../../cli/reference.ts');

/** Settings of the reference that the runs leave out, so that each is the run of a usual user. */
const leftOut = new Set(['ENTERPRISE_API_KEY', 'ENTERPRISE_PER_MINUTE', 'CLOCK_SPEED']);

/** Judges a reference in a process of its own, whose answers take that long and whose limits count real minutes. */
async function judge({ api, exhaust, plan, latencyMs }: Distance): Promise<Ended & { readonly seconds: number }> {
  const choices = plan === undefined ? [] : ['--plan', plan];
  const child = spawn(process.execPath, [reference, '--latency', String(latencyMs), ...choices], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const printed = Object.entries(JSON.parse(line.toString()) as Record<string, unknown>);
    const given = Object.fromEntries(
      printed.filter(([name]) => !leftOut.has(name)).map(([name, value]) => [name, String(value)]),
    );
    const env = { ...given, EXHAUST: exhaust, WRITES: 'all' };
    const began = performance.now();
    const ended = await start('cli/test.ts', [api], env).ended;
    return { ...ended, seconds: (performance.now() - began) / 1000 };
  } finally {
    child.kill();
  }
}

interface Report {
  readonly requests: Readonly<Record<string, number>>;
  readonly timing: Timing;
}

async function measure(run: Distance): Promise<readonly string[]> {
  const { code, seconds, reports } = await judge(run);
  const { requests, timing } = JSON.parse(reports.get('conformance.json') ?? '{}') as Report;
  const row = [
    run.api + (run.plan === undefined ? '' : `, ${run.plan} plan`),
    `EXHAUST=${run.exhaust}`,
    `${run.latencyMs} ms`,
    `${seconds.toFixed(0)} s`,
    `${run.aimS} s`,
    `${(timing.leastMs / 1000).toFixed(0)} s`,
    String(requests[run.api]),
    String(code),
  ];
  process.stdout.write(`${row.join('  ')}\n`);
  return row;
}

commandLine(
  createCommand(
    'bench:speed',
    '',
    'Measures whole runs at real speed against the reference, 20 and 100 ms away. Takes eight minutes.',
  ),
);
setup();
const [load = 0] = loadavg();
const rows: (readonly string[])[] = [];
for (const run of runs) {
  rows.push(await measure(run));
}
process.stdout.write(
  `\n${[
    `${machine()}; load average before it ${load.toFixed(1)}`,
    table(['API', 'Setting', 'Round trip', 'Wall time', 'Aim', 'Least by the limits', 'Calls', 'Exit'], rows),
  ].join('\n\n')}\n`,
);
teardown();

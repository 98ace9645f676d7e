import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCommand } from '../../cli/command.ts';
import { k6Environment } from '../../load/runner/environment.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import type { Plan } from '../../load/seam/plan.ts';
import { plainPlan } from '../../selftest/unit/load/plain-plan.ts';
import { commandLine } from '../command.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const scripts = { ours: here('../../load/scripts/soak.ts'), bare: here('./bare.ts') };
const soakMs = 3000;
const key = 'svc_test_bench';

function planFor(origin: string): Plan {
  const url = `${origin}/api/v1/platform/me`;
  const subject = {
    label: 'BENCH_KEY',
    api: 'developer' as const,
    keyEnv: 'BENCH_KEY',
    url,
    limit: 120,
    perDay: null,
    alone: true,
    unknownKey: 'svc_test_nobody',
  };
  return plainPlan({
    run: 'bench',
    script: 'soak',
    subjects: [subject],
    shooters: 4,
    vus: 4,
    soakMs,
    reads: { developer: [url], workspace: [] },
    pace: 0,
  });
}

/** Requests a second of one run: k6's own count, divided by the time for which the script sends. */
function rate(k6: string, script: string, origin: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
  try {
    const [summary, config] = [join(folder, 'summary'), join(folder, 'config')];
    writeFileSync(config, '{}');
    const env = k6Environment(process.env, {
      plan: JSON.stringify(planFor(origin)),
      summary,
      config,
      secrets: { BENCH_KEY: key },
    });
    const { status } = spawnSync(
      k6,
      ['run', '--quiet', '--no-color', '--log-format=raw', `--console-output=${join(folder, 'trace')}`, script],
      { env, timeout: 60_000, stdio: 'ignore' },
    );
    if (status !== 0) {
      throw new Error(`k6 ended with status ${status} on ${script}`);
    }
    const { metrics } = JSON.parse(readFileSync(summary, 'utf8')) as {
      metrics: Record<string, Record<string, number>>;
    };
    return (metrics.http_reqs?.count ?? 0) / (soakMs / 1000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Runs rounds against a server with this latency. Resolves with the median of the ratios. */
async function measure(k6: string, latencyMs: number, rounds: number): Promise<number> {
  const server = spawn(process.execPath, [here('./server.ts'), String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const origin = `http://127.0.0.1:${String(port).trim()}`;
    const ratios = Array.from({ length: rounds }, (_, round) => {
      // Alternates, so that other work of the machine affects both.
      const order = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
      const rates = Object.fromEntries(order.map((name) => [name, rate(k6, scripts[name], origin)])) as Record<
        'bare' | 'ours',
        number
      >;
      const ratio = rates.ours / rates.bare;
      process.stdout.write(
        `  round ${round + 1}: ours ${rates.ours.toFixed(0)}/s, bare ${rates.bare.toFixed(0)}/s, ratio ${ratio.toFixed(3)}\n`,
      );
      return ratio;
    });
    return median(ratios);
  } finally {
    server.kill();
  }
}

/**
 * Milliseconds. A deployment behind a network takes some time; one on the same two cores that answers at once is the
 * worst case.
 */
const latencies = [10, 0] as const;

async function main(): Promise<number> {
  const { args } = commandLine(
    createCommand(
      'bench:load',
      '[ROUNDS]',
      "Measures the soak script's request rate as a ratio to a bare k6 loop of the same executor. Ends with 1 below 0.9.",
    ).argument('[rounds]', 'how many rounds to take the median of; 5 by default'),
  );
  const rounds = Number(args[0] ?? 5);
  const k6 = await findK6({
    env: process.env,
    say: (line) => {
      process.stderr.write(`${line}\n`);
    },
  });
  const medians: number[] = [];
  for (const latencyMs of latencies) {
    process.stdout.write(
      `soak against a server that answers ${latencyMs === 0 ? 'at once, on the same machine' : `after ${latencyMs} ms`}, k6 ${k6.version}, 4 VUs, ${soakMs / 1000} s each\n`,
    );
    medians.push(await measure(k6.path, latencyMs, rounds));
  }
  const [usual = 0, worst = 0] = medians;
  process.stdout.write(
    `ratio of our script's request rate to a bare k6 loop's: ${usual.toFixed(3)} at ${latencies[0]} ms, ${worst.toFixed(3)} at none (medians of ${rounds})\n`,
  );
  return usual >= 0.9 ? 0 : 1;
}

process.exit(await main());

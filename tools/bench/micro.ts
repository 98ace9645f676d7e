import { resolve } from 'node:path';
import type { CliOptions, Reporter, TestCase } from 'vitest/node';
import { startVitest } from 'vitest/node';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { machine, putSection, table } from '../page.ts';
import { traceSizes } from './trace.ts';

/** The result of one benchmark, in milliseconds, and how many times it was measured. */
interface Cost {
  readonly name: string;
  readonly median: number;
  readonly p99: number;
  readonly samples: number;
}

const root = resolve(import.meta.dirname, '../..');

async function measure(): Promise<readonly Cost[]> {
  const costs: Cost[] = [];
  const collector: Reporter = {
    onTestCaseBenchmark(_test: TestCase, { tasks }) {
      costs.push(
        ...tasks.map(({ name, latency }) => ({
          name,
          median: latency.p50,
          p99: latency.p99,
          samples: latency.samplesCount,
        })),
      );
    },
  };
  const options: CliOptions = {
    root,
    config: false,
    watch: false,
    include: [],
    fileParallelism: false,
    testTimeout: 300_000,
    benchmark: { enabled: true, include: ['tools/bench/micro/*.ts'] },
    reporters: ['default', collector],
    // Node loads the modules; Vitest's wrapped modules would cost more than what is measured.
    experimental: { viteModuleRunner: false },
  };
  const vitest = await startVitest([], options);
  await vitest.close();
  if (costs.length === 0 || process.exitCode) {
    throw new Error('Cannot measure the steps: a benchmark failed');
  }
  return costs.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

const milliseconds = (ms: number): string => `${ms < 1 ? ms.toFixed(3) : ms.toFixed(1)} ms`;
const inWords = (count: number): string => count.toLocaleString('en');

/** How the cost of each series of traces grows with its calls: n^1 if ten times the calls cost ten times as much. */
function growth(costs: readonly Cost[]): string {
  const traces = costs.flatMap(({ name, median }) => {
    const [, calls = '', series = ''] = /^trace of ([\d,]+) calls, (.*)$/.exec(name) ?? [];
    return series === '' ? [] : [{ series, median, calls: Number(calls.replaceAll(',', '')) }];
  });
  const lines = [...Map.groupBy(traces, ({ series }) => series)].map(([series, points]) => {
    const steps = points.slice(1).map((to, index) => {
      const from = points[index] ?? to;
      const exponent = Math.log(to.median / from.median) / Math.log(to.calls / from.calls);
      return `${inWords(from.calls)} to ${inWords(to.calls)}: ${(to.median / from.median).toFixed(1)} ×, n^${exponent.toFixed(2)}`;
    });
    const leftOut = points.length < traceSizes.length ? ['larger traces take more than a minute and are left out'] : [];
    return `- ${series}: ${[...steps, ...leftOut].join('; ')}`;
  });
  return `How judging a trace grows with its calls:\n\n${lines.join('\n')}`;
}

commandLine(
  createCommand(
    'bench:micro',
    '',
    "Measures what single steps of the suite cost, by Vitest's benchmarks, and writes it into docs/bench.md.",
  ),
);
const costs = await measure();
const rows = costs.map(({ name, median, p99, samples }) => [
  name,
  milliseconds(median),
  milliseconds(p99),
  String(samples),
]);
putSection(
  'bench.md',
  'micro',
  [
    '## Single steps',
    `\`npm run bench:micro\`, on ${machine()}. Medians and 99th percentiles of one call.`,
    table(['Step', 'Median', '99th percentile', 'Runs'], rows),
    growth(costs),
  ].join('\n\n'),
);

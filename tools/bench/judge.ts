import { createCommand } from '../../cli/command.ts';
import { models } from '../../selftest/unit/limits/simulated/models.ts';
import { type Case, type Result, simulate } from '../../selftest/unit/limits/simulated/simulate.ts';
import { commandLine } from '../command.ts';

/** Windows of a minute, and short ones, as of a deployment with a fast clock; each with every round trip. */
const circumstances: readonly Omit<Case, 'model' | 'seed'>[] = [
  ...[60, 120, 300, 1000].flatMap((limit) => [1, 20, 120, 200].map((rtt) => ({ limit, windowMs: 60_000, rtt }))),
  ...[500, 1000].flatMap((windowMs) => [2, 20, 150].map((rtt) => ({ limit: 60, windowMs, rtt }))),
];

const columns: Readonly<Record<string, (result: Result) => boolean>> = {
  runs: () => true,
  right: ({ outcome }) => outcome === 'right',
  undecided: ({ outcome }) => outcome === 'undecided',
  wrong: ({ outcome }) => outcome === 'wrong',
  missed: ({ missed }) => missed.length > 0,
  exact: ({ enforcedRight }) => enforcedRight,
};

const row = (name: string, results: readonly Result[]): string =>
  [name.padEnd(48), ...Object.values(columns).map((test) => `${results.filter(test).length}`.padStart(9))].join(' ');

const { args } = commandLine(
  createCommand('bench:judge', '[RUNS]', 'Judges every simulated limiter, thousands of times.').argument(
    '[runs]',
    'how many runs in total; 5000 by default',
  ),
);
const each = Math.max(1, Math.round(Number(args[0] ?? 5000) / (Object.keys(models).length * circumstances.length)));
const all: Result[] = [];
const isReal = ({ windowMs }: Case): boolean => windowMs === 60_000;
const heading = Object.keys(columns).map((word) => word.padStart(9));
console.log(['limiter; limits 60 to 1,000 a minute'.padEnd(48), ...heading].join(' '));
let seed = 1;
for (const model of Object.keys(models)) {
  const results: Result[] = [];
  for (const one of circumstances) {
    for (let run = 0; run < each; run += 1) {
      results.push({ ...(await simulate({ ...one, model, seed: seed++ })), trace: [] });
    }
  }
  console.log(row(model, results.filter(isReal)));
  all.push(...results);
}
console.log(row('all', all.filter(isReal)));
console.log(
  row(
    'all, in windows of 0.5 and 1 s',
    all.filter((one) => !isReal(one)),
  ),
);
const wrong = all.filter(({ outcome }) => outcome === 'wrong');
for (const { model, seed: drawn, rtt, limit, windowMs, mistakes } of wrong.slice(0, 20)) {
  const where = `limit ${limit}, window ${windowMs} ms, round trip ${rtt} ms, seed ${drawn}`;
  console.log(`wrong: ${model}, ${where}: ${mistakes.join('; ')}`);
}
process.exitCode = wrong.some(isReal) ? 1 : 0;

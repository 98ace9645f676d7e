import { createCommand } from '../../cli/command.ts';
import { models } from '../../selftest/unit/limits/simulated/faulty.ts';
import { type Case, type Result, simulate } from '../../selftest/unit/limits/simulated/simulate.ts';
import { commandLine } from '../command.ts';

const realMs = 60_000;
const roundTrips = [1, 20, 120, 200];

function* cases(perCell: number): Generator<Case> {
  let seed = 1;
  for (const model of Object.keys(models)) {
    for (const limit of [60, 120, 300, 1000]) {
      for (const rtt of roundTrips) {
        for (let run = 0; run < perCell; run += 1) {
          yield { model, limit, windowMs: realMs, rtt, seed: seed++ };
        }
      }
    }
    for (const windowMs of [500, 1000]) {
      for (const rtt of [2, 20, 150]) {
        for (let run = 0; run < perCell; run += 1) {
          yield { model, limit: 60, windowMs, rtt, seed: seed++ };
        }
      }
    }
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const most = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), 0);

function row(name: string, results: readonly Result[]): string {
  const count = (test: (result: Result) => boolean): string => `${results.filter(test).length}`.padStart(6);
  return [
    name.padEnd(48),
    `${results.length}`.padStart(6),
    count(({ outcome }) => outcome === 'right'),
    count(({ outcome }) => outcome === 'undecided'),
    count(({ outcome }) => outcome === 'wrong'),
    count(({ missed }) => missed.length > 0),
    count(({ enforcedRight }) => enforcedRight),
    count(({ named }) => named),
    mean(results.map(({ calls, limit }) => calls - limit))
      .toFixed(0)
      .padStart(7),
    `${(most(results.map(({ lasted, windowMs }) => lasted / windowMs)) * 60).toFixed(0)}`.padStart(7),
  ].join(' ');
}

const heading = ['runs', 'right', 'undec.', 'wrong', 'missed', 'exact', 'named']
  .map((word) => word.padStart(6))
  .join(' ');

async function main(): Promise<void> {
  const { args } = commandLine(
    createCommand(
      'bench:judge',
      '[RUNS]',
      'Runs the procedure and the judge against every simulated limiter, thousands of times.',
    ).argument('[runs]', 'how many runs in total; 5000 by default'),
  );
  const asked = Number(args[0] ?? 5000);
  const perCell = Math.max(1, Math.round(asked / (Object.keys(models).length * 22)));
  const all: Result[] = [];
  const print = (name: string, results: readonly Result[], isReal: boolean): void =>
    console.log(
      row(
        name,
        results.filter(({ windowMs }) => (windowMs === realMs) === isReal),
      ),
    );
  console.log(
    'Windows of 60 s, limits 60 to 1,000, round trips 1 to 200 ms; below each, windows of 0.5 and 1 s, limit 60',
  );
  console.log(`${'limiter'.padEnd(48)} ${heading} calls-L longest`);
  for (const [model, own] of Map.groupBy(cases(perCell), (one) => one.model)) {
    const results: Result[] = [];
    for (const one of own) {
      results.push({ ...(await simulate(one)), trace: [] });
    }
    print(model, results, true);
    print('   … in short windows', results, false);
    all.push(...results);
  }
  print('all, 60 s', all, true);
  print('all, short windows', all, false);
  for (const { model, seed, rtt, limit, windowMs, mistakes } of all
    .filter(({ outcome }) => outcome === 'wrong')
    .slice(0, 20)) {
    console.log(
      `wrong: ${model}, limit ${limit}, window ${windowMs} ms, round trip ${rtt} ms, seed ${seed}: ${mistakes.join('; ')}`,
    );
  }
  process.exitCode = all.some(({ outcome, windowMs }) => outcome === 'wrong' && windowMs === realMs) ? 1 : 0;
}

await main();

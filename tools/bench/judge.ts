import { commandLine, createCommand } from '../../cli/command.ts';
import { judge } from '../../limits/judge/judge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import { fixedMeter, logMeter, type Meter } from '../../selftest/unit/limits/simulated/meters.ts';
import { models } from '../../selftest/unit/limits/simulated/models.ts';
import { type Case, type Result, simulate } from '../../selftest/unit/limits/simulated/simulate.ts';
import { seeded } from '../../selftest/unit/limits/simulated/world.ts';

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

/** Calls a fifth faster than the limit allows, for as long as it takes to make so many of them. */
function paced(calls: number, limit: number, meter: Meter, enforced: number): Sample[] {
  const random = seeded(7);
  let at = 1.8e12;
  return Array.from({ length: calls }, () => {
    at += (2 * random() * realMs) / (1.2 * limit);
    const isAdmitted = meter.used(at + 10) < enforced;
    meter.add(at + 10, isAdmitted);
    const remaining = String(Math.max(0, limit - meter.used(at + 10)));
    const headers = { limit: String(limit), remaining, reset: null, retryAfter: null, date: null };
    return { sentAt: at, receivedAt: at + 20, status: isAdmitted ? 200 : 429, key: 'key', phase: 'paced', ...headers };
  });
}

/** How long one judgement takes, in ms, by the length of the trace: a log, a fixed window, and one that refuses nothing. */
function growth(): string[] {
  const limit = 1000;
  const kinds: readonly (readonly [string, () => Meter, number])[] = [
    ['fixed window', () => fixedMeter(realMs, 0), limit],
    ['sliding log', () => logMeter(realMs), limit],
    ['no limit', () => fixedMeter(realMs, 0), Infinity],
  ];
  return kinds.map(([name, meter, enforced]) => {
    const times = [1000, 10_000, 100_000].map((calls) => {
      const trace = paced(calls, limit, meter(), enforced);
      const start = performance.now();
      judge(trace, { limit, windowMs: realMs });
      return `${calls} calls ${(performance.now() - start).toFixed(0)} ms`;
    });
    return `${name.padEnd(14)} ${times.join(', ')}`;
  });
}

async function main(): Promise<void> {
  const { args } = commandLine(
    createCommand(
      'bench:judge',
      '[RUNS]',
      'Runs the judge and its drive against every simulated limiter, thousands of times, and says how long judging takes as traces grow.',
    ).argument('[runs]', 'how many runs in all; 5000 by default'),
  );
  const asked = Number(args[0] ?? 5000);
  const perCell = Math.max(1, Math.round(asked / (Object.keys(models).length * 22)));
  const all: Result[] = [];
  console.log(
    'Windows of 60 s, limits 60 to 1,000, round trips 1 to 200 ms; below each, windows of 0.5 and 1 s, limit 60',
  );
  console.log(`${'limiter'.padEnd(48)} ${heading} calls-L longest`);
  for (const [model, own] of Map.groupBy(cases(perCell), (one) => one.model)) {
    const results: Result[] = [];
    for (const one of own) {
      const { trace: _, verdict: __, ...result } = await simulate(one);
      results.push({ ...result, trace: [], verdict: __ });
    }
    console.log(
      row(
        model,
        results.filter(({ windowMs }) => windowMs === realMs),
      ),
    );
    console.log(
      row(
        '   … in short windows',
        results.filter(({ windowMs }) => windowMs !== realMs),
      ),
    );
    all.push(...results);
  }
  console.log(
    row(
      'all, 60 s',
      all.filter(({ windowMs }) => windowMs === realMs),
    ),
  );
  console.log(
    row(
      'all, short windows',
      all.filter(({ windowMs }) => windowMs !== realMs),
    ),
  );
  for (const { model, seed, rtt, limit, windowMs, wrongs } of all
    .filter(({ outcome }) => outcome === 'wrong')
    .slice(0, 20)) {
    console.log(
      `wrong: ${model}, limit ${limit}, window ${windowMs} ms, round trip ${rtt} ms, seed ${seed}: ${wrongs.join('; ')}`,
    );
  }
  console.log(`Judging one trace:\n${growth().join('\n')}`);
  process.exitCode = all.some(({ outcome, windowMs }) => outcome === 'wrong' && windowMs === realMs) ? 1 : 0;
}

await main();

// `npm run bench:judge [RUNS]`: the judge and its procedure against every simulated limiter, over thousands of runs.
import { judge } from '../../limits/judge/judge.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { type Model, models } from '../../selftest/unit/limits/simulated/models.ts';
import { createWorld, seeded } from '../../selftest/unit/limits/simulated/world.ts';

export type Case = { model: string; limit: number; windowMs: number; rtt: number; seed: number };
export type Result = Case & {
  outcome: 'right' | 'undecided' | 'wrong';
  said: string;
  enforcedRight: boolean;
  named: boolean;
  algorithm: string;
  remaining: string;
  resetAgrees: boolean | null;
  calls: number;
  lasted: number;
};

/** One simulated run and what came of it. */
export async function simulate(one: Case): Promise<Result> {
  const model = models[one.model] as Model;
  const random = seeded(one.seed);
  const { limit, windowMs, rtt } = one;
  const offset = (random() - 0.5) * 1000;
  const startAt = 1.8e12 + Math.floor(random() * 3_600_000);
  const sigma = rtt > 50 ? 0.6 : 0.4;
  const network = {
    rtt,
    sigma,
    offset,
    ...(model.foreignGap && { foreignGap: model.foreignGap({ limit, windowMs }) }),
  };
  const world = createWorld(model.build({ limit, windowMs, random }), network, random, startAt);
  const trace = await world.run(() => runMinute(world.io, { limit, windowMs, idle: true }));
  const verdict = judge(trace, { limit, windowMs });
  const said = verdict.perMinute.verdict;
  const enforced = model.enforced?.(limit);
  return {
    ...one,
    said,
    algorithm: verdict.window.algorithm,
    outcome:
      said === model.verdict || (model.byChance && said === 'holds' && (verdict.evidence.fewestAtRefusal ?? 0) >= limit)
        ? 'right'
        : said === 'undecided'
          ? 'undecided'
          : 'wrong',
    enforcedRight: enforced === undefined || verdict.perMinute.enforced === enforced,
    named: model.algorithms.length === 0 || model.algorithms.includes(verdict.window.algorithm),
    remaining: verdict.remaining.verdict,
    resetAgrees: verdict.headers.resetAgrees,
    calls: trace.filter((sample) => sample.key === 'key').length,
    lasted: Math.max(...trace.map((sample) => sample.receivedAt)) - (trace[0]?.sentAt ?? 0),
  };
}

function* cases(perCell: number): Generator<Case> {
  let seed = 1;
  for (const model of Object.keys(models)) {
    for (const limit of [60, 120, 300, 1000]) {
      for (const rtt of [1, 20, 120, 200]) {
        for (let k = 0; k < perCell; k += 1) {
          yield { model, limit, windowMs: 60_000, rtt, seed: seed++ };
        }
      }
    }
    for (const windowMs of [500, 1000]) {
      for (const rtt of [2, 20, 150]) {
        for (let k = 0; k < perCell; k += 1) {
          yield { model, limit: 60, windowMs, rtt, seed: seed++ };
        }
      }
    }
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function row(name: string, results: readonly Result[]): string {
  const share = (test: (result: Result) => boolean): string => `${results.filter(test).length}`.padStart(6);
  return [
    name.padEnd(36),
    `${results.length}`.padStart(6),
    share((r) => r.outcome === 'right'),
    share((r) => r.outcome === 'undecided'),
    share((r) => r.outcome === 'wrong'),
    share((r) => r.outcome === 'right' && r.enforcedRight),
    share((r) => r.named),
    mean(results.map((r) => r.calls - r.limit))
      .toFixed(0)
      .padStart(7),
    `${(Math.max(...results.map((r) => r.lasted / r.windowMs)) * 60).toFixed(0)}`.padStart(7),
  ].join(' ');
}

const heading = ['limiter'.padEnd(36), 'runs', 'right', 'undec.', 'wrong', 'exact', 'named', 'calls-L', 'longest']
  .map((word, index) => (index === 0 ? word : word.padStart(index > 6 ? 7 : 6)))
  .join(' ');

async function main(): Promise<void> {
  const asked = Number(process.argv[2] ?? 5000);
  const perCell = Math.max(1, Math.round(asked / (Object.keys(models).length * 22)));
  const real: Result[] = [];
  const fast: Result[] = [];
  console.log(
    `Each limiter with windows of 60 s, limits 60 to 1,000, round trips 1 to 200 ms; below it with windows of 0.5 and 1 s, limit 60\n${heading}`,
  );
  for (const [model, own] of Map.groupBy(cases(perCell), (one) => one.model)) {
    const results: Result[] = [];
    for (const one of own) {
      results.push(await simulate(one));
    }
    real.push(...results.filter(({ windowMs }) => windowMs === 60_000));
    fast.push(...results.filter(({ windowMs }) => windowMs !== 60_000));
    console.log(
      `${row(
        model,
        results.filter(({ windowMs }) => windowMs === 60_000),
      )}\n${row(
        '   … in short windows',
        results.filter(({ windowMs }) => windowMs !== 60_000),
      )}`,
    );
  }
  console.log(`${row('all, 60 s', real)}\n${row('all, short windows', fast)}`);
  const wrong = [...real, ...fast].filter((result) => result.outcome === 'wrong');
  if (process.env.UNDECIDED) {
    for (const r of real.filter((x) => x.outcome === 'undecided')) {
      console.log(JSON.stringify(r));
    }
  }
  for (const result of wrong.slice(0, 20)) {
    console.log(`wrong: ${JSON.stringify(result)}`);
  }
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

if (process.argv[1] === import.meta.filename) {
  await main();
}

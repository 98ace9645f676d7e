// One run of the procedure against a simulated limiter, and the judge's verdicts.
import { judge, type Verdict } from '../../../../limits/judge/judge.ts';
import { runMinute } from '../../../../limits/procedure/minute.ts';
import { limiterFor, type Model } from './limiters.ts';
import { models } from './models.ts';
import { createWorld, seeded } from './world.ts';

export interface Case {
  readonly model: string;
  readonly limit: number;
  readonly windowMs: number;
  /** Median round trip, ms. */
  readonly rtt: number;
  readonly seed: number;
}

export type Result = Awaited<ReturnType<typeof simulate>>;

const others = ['remaining', 'recovery', 'exceeded'] as const;

function minuteMistake(model: Model, { perMinute: { verdict, says } }: Verdict): string[] {
  const isRight =
    verdict === model.verdict || verdict === 'undecided' || (model.byChance === true && verdict === 'holds');
  return isRight ? [] : [`per-minute ${verdict}: ${says}`];
}

const mistakesOf = (model: Model, verdict: Verdict): string[] => [
  ...minuteMistake(model, verdict),
  ...others
    .filter((name) => (model[name] ?? 'fails') !== 'fails' && verdict[name].verdict === 'fails')
    .map((name) => `${name} fails: ${verdict[name].says}`),
];

const missedBy = (model: Model, verdict: Verdict): string[] =>
  others
    .filter((name) => model[name] === 'fails' && verdict[name].verdict !== 'fails')
    .map((name) => `${name} ${verdict[name].verdict}: ${verdict[name].says}`);

export async function simulate(one: Case) {
  const model = models[one.model] as Model;
  const { limit, windowMs, rtt, seed } = one;
  const random = seeded(seed);
  const [offset, startAt] = [(random() - 0.5) * 1000, 1.8e12 + Math.floor(random() * 3_600_000)];
  const setup = { limit, windowMs, random, phase: Math.floor(random() * windowMs) };
  const network = {
    rtt,
    sigma: rtt > 50 ? 0.6 : 0.4,
    offset,
    routes: model.routes ?? [],
    foreignAt: (model.foreignAt ?? []).map((share) => share * windowMs),
  };
  const world = createWorld(limiterFor(model, setup), network, random, startAt);
  const own = model.given !== true;
  const trace = await world.run(() => runMinute(world.io, { limit, windowMs, own, idle: true }));
  const verdict = judge(trace, { limit, windowMs, own });
  const perMinute = verdict.perMinute.verdict;
  const mistakes = mistakesOf(model, verdict);
  const right =
    perMinute === model.verdict || (perMinute === 'undecided' && model.orUndecided === true) || perMinute === 'holds';
  const driven = trace.filter((sample) => sample.key === 'key');
  return {
    ...one,
    /** The verdict on the minute clause. */
    perMinute,
    /** The clauses that wrongly failed, and the minute clause if it wrongly passed. */
    mistakes,
    /** Defects of the clauses other than the minute's that were not found. */
    missed: missedBy(model, verdict),
    verdict,
    trace,
    outcome: mistakes.length > 0 ? 'wrong' : right ? 'right' : 'undecided',
    /** Whether the number of calls that the verdict calls enforced is the limiter's. */
    enforcedRight: model.isCounted !== true || verdict.perMinute.enforced === limit + (model.change ?? 0),
    calls: driven.length,
    /** From the first call sent to the last response, in ms. */
    lasted: Math.max(...driven.map((sample) => sample.receivedAt)) - (driven[0]?.sentAt ?? 0),
  };
}

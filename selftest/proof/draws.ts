import { createHash } from 'node:crypto';
import type { ApiName } from '../../contract/clause.ts';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { createRandom, type Random } from '../../fixtures/reference/random.ts';
import { perDayClause } from './day-in-process.ts';
import { choosing, compatible } from './packs.ts';
import { type Job, needsEnterprise } from './row.ts';

/** The seed of what the selftest draws. `npm run nightly` takes another one each day. */
export const fixedSeed = 20_261;

/**
 * The limits on concurrent calls are proven alone and are not drawn: of a hundred random limiters with one, seven were
 * misjudged.
 */
const notDrawn: readonly string[] = ['developer-concurrency', 'workspace-concurrency'];

/** The share of its choices in which a deployment differs from the plain one. Draws take these in turn. */
const shares = [0.05, 0.15, 0.4];

/** A generator for one thing that is drawn, so that a new choice or fault does not change what is drawn of the others. */
const randomFor = (...of: readonly (string | number)[]): Random =>
  createRandom(createHash('sha256').update(of.join(' ')).digest().readInt32LE());

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;

/** Choices of one API, each by chance. */
function drawn(api: ApiName, share: number, seed: number, at: number): Job {
  const own = choices.filter((choice) => choice.api === api && !notDrawn.includes(choice.name));
  const chosen = own.flatMap(({ name, values }) => {
    const random = randomFor(seed, at, name);
    return random.below(1000) < share * 1000 ? [`${name}=${pick(random, Object.keys(values))}`] : [];
  });
  return choosing(api, compatible(chosen));
}

/** Random correct deployments of one API. */
export const combinations = (api: ApiName, count: number, seed: number): readonly Job[] =>
  Array.from({ length: count }, (_, at) => drawn(api, shares[at % shares.length] ?? 0, seed, at));

const crossable = faults.filter((fault) => !needsEnterprise(fault) && !fault.fails.includes(perDayClause(fault.api)));

/** Random faults of one API, each on a deployment with a few random choices. */
export function crossings(api: ApiName, count: number, seed: number): readonly Job[] {
  const ids = crossable.filter((fault) => fault.api === api).map(({ id }) => id);
  return Array.from({ length: count }, (_, at) => {
    const deployment = drawn(api, shares[0] ?? 0, seed, count + at);
    const id = pick(randomFor(seed, at, 'fault'), ids);
    return { ...deployment, name: `${id} ${deployment.name}`, fault: id };
  });
}

import { schemesOf } from './assemble.ts';
import { coverage } from './bodies.ts';
import { bounds } from './bounds.ts';
import type { Budget } from './budget.ts';
import { createBudget } from './budget.ts';
import type { Delivery } from './delivery.ts';
import { explainNothingFound } from './diagnose.ts';
import type { Discovery } from './discovery.ts';
import { keysOf, wrongSecret } from './keys.ts';
import { notesOn } from './notes.ts';
import { describeOdd } from './odd.ts';
import { bodyFormOf } from './parts.ts';
import type { Scheme } from './scheme.ts';
import type { Scene } from './search.ts';
import { layOut, searchCommon, searchEveryOrder } from './search.ts';
import { sourceKey } from './source.ts';
import { verifyRead } from './verify.ts';

export interface DiscoverOptions {
  /** Secrets of other webhooks: a delivery that one of these explains is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** Also try every order of up to three ingredients with the body. On by default. */
  readonly lastResort?: boolean;
  readonly maxHmacs?: number;
  readonly maxBytes?: number;
}

/** Schemes that explain a delivery, each with how many of all deliveries it verifies. */
interface Candidate {
  readonly scheme: Scheme;
  readonly verified: readonly boolean[];
  readonly count: number;
}

/**
 * Finds how deliveries are signed. Takes the deliveries of one webhook (two or more that differ in body, id and second, for
 * an answer that is not provisional) and its secret. Throws nothing; no text in the answer shows the secret.
 */
export function discoverScheme(
  deliveries: readonly Delivery[],
  secret: string,
  options: DiscoverOptions = {},
): Discovery {
  const scenes = deliveries.map(layOut);
  const budget = createBudget(options.maxHmacs ?? bounds.hmacs, options.maxBytes ?? bounds.hashedBytes);
  const candidates = findCandidates(scenes, secret, options, budget);
  const best = candidates[0];
  if (best !== undefined) {
    return conclude(best, candidates, scenes, secret, options);
  }
  return underOtherSecret(scenes, secret, options) ?? explainNothingFound(scenes, secret, budget);
}

/** So many odd deliveries are searched for what else they are signed with; the rest are compared with the scheme only. */
const mostDeep = 8;

/** Searches delivery after delivery until each is explained or a few have been searched; best first. */
function findCandidates(
  scenes: readonly Scene[],
  secret: string,
  options: DiscoverOptions,
  budget: Budget,
): Candidate[] {
  const keys = keysOf(secret);
  const searches = [
    { search: searchCommon, most: 4 },
    ...(options.lastResort === false ? [] : [{ search: searchEveryOrder, most: 1 }]),
  ];
  const signed = scenes.filter(({ wanted }) => wanted.size > 0);
  for (const { search, most } of searches) {
    const found: Candidate[] = [];
    for (const scene of signed.slice(0, most)) {
      if (found.some(({ verified }) => verified[scenes.indexOf(scene)])) {
        continue;
      }
      const schemes = search(scene, keys, budget).flatMap((match) => schemesOf(match, scene, secret));
      found.push(...schemes.map((scheme) => weigh(scheme, scenes, secret)).filter(({ count }) => count > 0));
    }
    if (found.length > 0) {
      return found.sort((a, b) => b.count - a.count || rank(a.scheme) - rank(b.scheme));
    }
  }
  return [];
}

function weigh(scheme: Scheme, scenes: readonly Scene[], secret: string): Candidate {
  const wrong = wrongSecret(secret);
  const control = scenes.some((scene) => verifyRead(scheme, scene, wrong).verified);
  const verified = scenes.map((scene) => !control && verifyRead(scheme, scene, secret).verified);
  return { scheme, verified, count: verified.filter(Boolean).length };
}

const ranks = { raw: 0, derived: 1, 're-serialised': 2, none: 3 } as const;

/** The raw body before other forms; of equals, a header named for a webhook before general ones. */
function rank(scheme: Scheme): number {
  const form = bodyFormOf(scheme);
  const general =
    JSON.stringify(scheme.content).match(/"name":"(?:date|x-request-id|request-id|x-correlation-id)"/gi)?.length ?? 0;
  return ranks[form === undefined ? 'none' : coverage(form, scheme.signature.source)] * 10 + general;
}

function conclude(
  best: Candidate,
  candidates: readonly Candidate[],
  scenes: readonly Scene[],
  secret: string,
  options: DiscoverOptions,
): Discovery {
  const { scheme } = best;
  const notes = notesOn(scheme, scenes, secret);
  if (best.count < scenes.length) {
    const others = options.otherSecrets ?? [];
    const indices = scenes.flatMap((_, index) => (best.verified[index] ? [] : [index]));
    const odd = indices.flatMap((index, place) => {
      const scene = scenes[index];
      return scene === undefined
        ? []
        : [describeOdd(index, scene, scheme, secret, { otherSecrets: others, deep: place < mostDeep })];
    });
    return { kind: 'inconsistent', scheme, odd, notes };
  }
  const form = bodyFormOf(scheme);
  const covered = form === undefined ? 'none' : coverage(form, scheme.signature.source);
  if (covered === 'none') {
    return { kind: 'body-not-covered', scheme, notes };
  }
  if (covered === 're-serialised' && form !== undefined) {
    return { kind: 're-serialised', form, scheme, notes };
  }
  const rest = candidates
    .filter(({ count, scheme: other }) => other !== scheme && count === scenes.length)
    .map((one) => one.scheme);
  const same = (other: Scheme): boolean => sourceKey(other.signature.source) === sourceKey(scheme.signature.source);
  const alternatives = rest.filter(same);
  const distinct = new Set(scenes.map(({ delivery }) => delivery.body.toString('latin1'))).size;
  return {
    kind: 'verified',
    scheme,
    alternatives,
    others: rest.filter((other) => !same(other)),
    provisional: distinct < 2 || alternatives.length > 0,
    notes,
  };
}

/** Every delivery may be signed, consistently, with secrets of other webhooks. */
function underOtherSecret(scenes: readonly Scene[], secret: string, options: DiscoverOptions): Discovery | undefined {
  for (const other of options.otherSecrets ?? []) {
    const budget = createBudget(options.maxHmacs ?? bounds.hmacs, options.maxBytes ?? bounds.hashedBytes);
    const best = findCandidates(scenes, other, { ...options, lastResort: false }, budget)[0];
    if (best === undefined) {
      continue;
    }
    const how = { otherSecrets: options.otherSecrets ?? [], deep: false };
    const odd = scenes.map((scene, index) => describeOdd(index, scene, best.scheme, secret, how));
    return { kind: 'inconsistent', scheme: best.scheme, odd, notes: [] };
  }
  return undefined;
}

import { bodyFormOf, coverageOf } from './content.ts';
import type { Delivery } from './delivery.ts';
import type { Discovery } from './discovery.ts';
import { bounds } from './read/bounds.ts';
import { keysOf, wrongSecret } from './read/keys.ts';
import type { Token } from './read/tokens.ts';
import type { Scheme } from './scheme.ts';
import { schemesOf } from './search/assemble.ts';
import { type Budget, createBudget } from './search/budget.ts';
import { constantTokens, explainNothingFound } from './search/diagnose.ts';
import { notesOn } from './search/notes.ts';
import { describeOdd } from './search/odd.ts';
import { findOtherAlgorithms, type OtherAlgorithm } from './search/other-algorithms.ts';
import { layOut, type Match, type Scene } from './search/scene.ts';
import { searchCompositions, searchUsual } from './search/search.ts';
import { sourceKey } from './source.ts';
import { tokensAt, verifyRead } from './verify.ts';

export interface DiscoverOptions {
  /** Secrets of other webhooks: a delivery that one of these explains is reported as `other-secret`. */
  readonly otherSecrets?: readonly string[];
  /** What a server may take for the secret, such as the webhook's id, by what it is: "the webhook's id". */
  readonly besideSecret?: Readonly<Record<string, string>>;
  /** Schemes of other webhooks of the deployment: nothing is searched for where one of them verifies every delivery. */
  readonly likely?: readonly Scheme[];
  /** Also try every composition of the delivery's ingredients. On by default. */
  readonly lastResort?: boolean;
  readonly maxHmacs?: number;
  readonly maxBytes?: number;
}

/** A scheme that explains a delivery, and which of all deliveries it verifies. */
interface Candidate {
  readonly scheme: Scheme;
  readonly verified: readonly boolean[];
  readonly count: number;
}

/**
 * Finds how deliveries are signed. Takes the deliveries of one webhook (two or more that differ in body, id and second, for
 * an answer that is not provisional) and its secret. Throws nothing; no text in the answer shows the secret.
 */
export const discoverScheme = (
  deliveries: readonly Delivery[],
  secret: string,
  options: DiscoverOptions = {},
): Discovery => discoverIn(deliveries.map(layOut), secret, options);

/** What usual contents, and schemes of other webhooks, explain under a secret. */
interface Survey {
  readonly usual: readonly Candidate[];
  /** What else explains a token, where these do not. */
  readonly named: readonly OtherAlgorithm[];
  /** What is left for further contents. */
  readonly budget: Budget;
}

/** Gives the survey of a secret, made when it is first asked for: one secret is looked at as a webhook's own and as another's. */
export function surveyor(scenes: readonly Scene[], options: DiscoverOptions): (secret: string) => Survey {
  const surveys = new Map<string, Survey>();
  return (secret) => {
    const survey = surveys.get(secret) ?? surveyOf(scenes, secret, options);
    surveys.set(secret, survey);
    return survey;
  };
}

function surveyOf(scenes: readonly Scene[], secret: string, options: DiscoverOptions): Survey {
  const budget = createBudget(options.maxHmacs ?? bounds.hmacs, options.maxBytes ?? bounds.hashedBytes);
  const known = (options.likely ?? []).map((scheme) => weigh(scheme, scenes, secret));
  const fitting = known.filter(({ count }) => count === scenes.length);
  const usual = fitting.length > 0 ? fitting : findCandidates(scenes, secret, budget);
  let named: readonly OtherAlgorithm[] | undefined;
  return {
    usual,
    budget,
    get named() {
      named ??=
        usual.length > 0
          ? []
          : scenes.slice(0, 2).flatMap((scene) => findOtherAlgorithms(scene, secret, options.besideSecret));
      return named;
    },
  };
}

/** The same for deliveries that have been laid out and, it may be, surveyed, which is done once for all secrets. */
export function discoverIn(
  scenes: readonly Scene[],
  secret: string,
  options: DiscoverOptions,
  survey = surveyor(scenes, options),
): Discovery {
  const found = survey(secret);
  const { usual, budget } = found;
  budget.cap(options.maxHmacs ?? bounds.hmacs, options.maxBytes ?? bounds.hashedBytes);
  const settled = usual.some(({ scheme }) => ['raw', 'derived'].includes(coverageOf(scheme)));
  const borrowed = usual.length > 0 ? undefined : underOtherSecret(scenes, secret, options, survey);
  if (borrowed !== undefined) {
    return borrowed;
  }
  const { named } = found;
  const further =
    settled || options.lastResort === false ? [] : findCompositions(scenes, secret, budget, { named, beside: usual });
  const candidates = [...usual, ...further].sort(byWorth);
  const [best] = candidates;
  return best === undefined
    ? explainNothingFound(scenes, secret, named, budget)
    : conclude(best, candidates, scenes, secret, options);
}

/** How many odd deliveries are searched for what else they are signed with; the rest are only compared with the scheme. */
const mostDeep = 8;

/** How many deliveries are searched for usual contents. */
const mostSearched = 4;

/** Searches delivery after delivery until each is explained or a few have been searched. */
function findCandidates(scenes: readonly Scene[], secret: string, budget: Budget): Candidate[] {
  const keys = keysOf(secret);
  const found: Candidate[] = [];
  for (const scene of scenes.filter(({ wanted }) => wanted.size > 0).slice(0, mostSearched)) {
    if (!found.some(({ verified }) => verified[scenes.indexOf(scene)])) {
      found.push(...candidatesOf(searchUsual({ scene, keys, budget }), scene, scenes, secret));
    }
  }
  return found;
}

/**
 * Searches one delivery, the smallest, for every composition: where nothing usual explains a token, or where what does
 * leaves the body out, since a signature that covers it may stand beside it.
 */
function findCompositions(
  scenes: readonly Scene[],
  secret: string,
  budget: Budget,
  { named, beside }: { readonly named: readonly OtherAlgorithm[]; readonly beside: readonly Candidate[] },
): Candidate[] {
  const places = named.map(({ token }) => sourceKey(token));
  const constant = constantTokens(scenes);
  const open = scenes.flatMap((scene) => {
    const explained = beside.flatMap(({ scheme }) => tokensAt(scheme.signature.source, scene.tokens));
    const isOpen = (token: Token): boolean => !explained.includes(token) && !places.includes(sourceKey(token.source));
    const wanted = new Map([...scene.wanted].filter(([hex, tokens]) => !constant.has(hex) && tokens.some(isOpen)));
    return wanted.size === 0 ? [] : [{ ...scene, wanted }];
  });
  const [smallest] = open.sort((a, b) => a.delivery.body.length - b.delivery.body.length);
  return smallest === undefined
    ? []
    : candidatesOf(searchCompositions({ scene: smallest, keys: keysOf(secret), budget }), smallest, scenes, secret);
}

const candidatesOf = (matches: readonly Match[], scene: Scene, scenes: readonly Scene[], secret: string): Candidate[] =>
  matches
    .flatMap((match) => schemesOf(match, scene, secret))
    .map((scheme) => weigh(scheme, scenes, secret))
    .filter(({ count }) => count > 0);

/** A scheme that a wrong secret fits too explains nothing. */
function weigh(scheme: Scheme, scenes: readonly Scene[], secret: string): Candidate {
  const wrong = wrongSecret(secret);
  const control = scenes.some((scene) => verifyRead(scheme, scene, wrong).verified);
  const verified = scenes.map((scene) => !control && verifyRead(scheme, scene, secret).verified);
  return { scheme, verified, count: verified.filter(Boolean).length };
}

const ranks = { raw: 0, derived: 1, 're-serialised': 2, none: 3 } as const;

/** The raw body before other forms; of equals, a header named for a webhook before general ones. */
function rank(scheme: Scheme): number {
  const general =
    JSON.stringify(scheme.content).match(/"name":"(?:date|x-request-id|request-id|x-correlation-id)"/gi)?.length ?? 0;
  return ranks[coverageOf(scheme)] * 10 + general;
}

const byWorth = (a: Candidate, b: Candidate): number => b.count - a.count || rank(a.scheme) - rank(b.scheme);

function conclude(
  { scheme, count, verified }: Candidate,
  candidates: readonly Candidate[],
  scenes: readonly Scene[],
  secret: string,
  options: DiscoverOptions,
): Discovery {
  const notes = notesOn(scheme, scenes, secret);
  if (count < scenes.length) {
    const otherSecrets = options.otherSecrets ?? [];
    const odd = scenes
      .map((scene, index) => ({ scene, index }))
      .filter(({ index }) => !verified[index])
      .map(({ scene, index }, place) =>
        describeOdd(index, scene, scheme, secret, { otherSecrets, deep: place < mostDeep }),
      );
    return { kind: 'inconsistent', scheme, odd, notes };
  }
  const form = bodyFormOf(scheme);
  const covered = coverageOf(scheme);
  if (covered === 'none') {
    return { kind: 'body-not-covered', scheme, notes };
  }
  if (covered === 're-serialised' && form !== undefined) {
    return { kind: 're-serialised', form, scheme, notes };
  }
  const rest = candidates
    .filter((one) => one.scheme !== scheme && one.count === scenes.length)
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
function underOtherSecret(
  scenes: readonly Scene[],
  secret: string,
  { otherSecrets = [] }: DiscoverOptions,
  survey: (secret: string) => Survey,
): Discovery | undefined {
  for (const other of otherSecrets) {
    const [best] = survey(other).usual.toSorted(byWorth);
    if (best !== undefined) {
      const odd = scenes.map((scene, index) =>
        describeOdd(index, scene, best.scheme, secret, { otherSecrets, deep: false }),
      );
      return { kind: 'inconsistent', scheme: best.scheme, odd, notes: [] };
    }
  }
  return undefined;
}

import type { Delivery } from './delivery.ts';
import { type DiscoverOptions, discoverIn, surveyor } from './discover.ts';
import type { Discovery } from './discovery.ts';
import { bounds } from './read/bounds.ts';
import type { Scheme } from './scheme.ts';
import { layOut, type Scene } from './search/scene.ts';
import { verifyRead } from './verify.ts';

/** How the deliveries of one webhook are signed, and under which of the secrets that was found. */
interface Signing {
  readonly secret: string;
  readonly discovery: Discovery;
}

/** The kinds of discovery, what says most of a webhook's deliveries first. */
const mostTellingFirst: readonly Discovery['kind'][] = [
  'verified',
  'inconsistent',
  're-serialised',
  'body-not-covered',
  'other-algorithm',
  'unknown-content',
  'unsigned',
];

/**
 * As discoverScheme, where the secret may be one of several: likeliest first, at least one. Usual contents are tried under
 * each before unusual ones under any, and the unusual ones share the bound on what a search may cost.
 */
export function discoverAmong(
  deliveries: readonly Delivery[],
  secrets: readonly string[],
  options: DiscoverOptions = {},
): Signing {
  const scenes = deliveries.map(layOut);
  const survey = surveyor(scenes, options);
  const discover = (secret: string, more: DiscoverOptions): Discovery =>
    discoverIn(scenes, secret, { ...options, ...more }, survey);
  const ordered = likelyFirst(scenes, secrets, options.likely ?? []);
  const usual = tryEach(ordered, (secret) => discover(secret, { lastResort: false, otherSecrets: [] }));
  if (usual[0]?.discovery.kind === 'verified') {
    return usual[0];
  }
  const maxHmacs = Math.ceil((options.maxHmacs ?? bounds.hmacs) / secrets.length);
  const maxBytes = Math.ceil((options.maxBytes ?? bounds.hashedBytes) / secrets.length);
  const all = tryEach(ordered, (secret) => discover(secret, { maxHmacs, maxBytes }));
  const [best] = all;
  if (best === undefined) {
    throw new TypeError('Cannot find a scheme without a secret');
  }
  return best.discovery.kind === 'unknown-content' ? { ...best, discovery: triedAll(best.discovery, all) } : best;
}

/** What is found under each of the secrets, what says most first; under none further once all deliveries are explained. */
function tryEach(secrets: readonly string[], discover: (secret: string) => Discovery): Signing[] {
  const tried: Signing[] = [];
  for (const secret of secrets) {
    const discovery = discover(secret);
    tried.push({ secret, discovery });
    if (discovery.kind === 'verified') {
      break;
    }
  }
  return tried.sort((a, b) => mostTellingFirst.indexOf(a.discovery.kind) - mostTellingFirst.indexOf(b.discovery.kind));
}

/** Those first under which a scheme of another webhook verifies every delivery: under these nothing is searched for. */
function likelyFirst(
  scenes: readonly Scene[],
  secrets: readonly string[],
  likely: readonly Scheme[],
): readonly string[] {
  const fits = (secret: string): boolean =>
    likely.some((scheme) => scenes.every((scene) => verifyRead(scheme, scene, secret).verified));
  const fitting = new Set(secrets.filter(fits));
  return [...fitting, ...secrets.filter((secret) => !fitting.has(secret))];
}

/** The same, with what was tried under all the secrets. */
function triedAll(found: Extract<Discovery, { kind: 'unknown-content' }>, all: readonly Signing[]): Discovery {
  const tried = all.flatMap(({ discovery }) => (discovery.kind === 'unknown-content' ? [discovery.tried] : []));
  const sum = (of: (one: (typeof tried)[number]) => number): number => tried.reduce((total, one) => total + of(one), 0);
  return {
    ...found,
    tried: {
      hmacs: sum(({ hmacs }) => hmacs),
      contents: Math.max(...tried.map(({ contents }) => contents)),
      keys: sum(({ keys }) => keys),
      secrets: all.length,
      complete: tried.every(({ complete }) => complete),
    },
  };
}

import type { Delivery } from './delivery.ts';
import { discoverIn } from './discover.ts';
import type { DiscoverOptions, Discovery } from './discovery.ts';
import { bounds } from './read/bounds.ts';
import { layOut, type Scene } from './scene.ts';
import type { Scheme } from './scheme.ts';
import { createSurveys } from './survey.ts';
import { verifyRead } from './verify.ts';

/** How the deliveries of one webhook are signed, and with which of the secrets. */
interface Signing {
  readonly secret: string;
  readonly discovery: Discovery;
}

/** The kinds of discovery, beginning with those that say most. */
const mostInformativeFirst: readonly Discovery['kind'][] = [
  'verified',
  'inconsistent',
  're-serialised',
  'body-not-covered',
  'other-algorithm',
  'unknown-content',
  'unsigned',
];

/**
 * Like `discoverScheme`, if the secret is one of several (likeliest first, at least one). Usual contents are tried
 * under each secret before unusual ones under any. The search for unusual ones has one bound for all secrets together.
 */
export function discoverAmong(
  deliveries: readonly Delivery[],
  secrets: readonly string[],
  options: DiscoverOptions = {},
): Signing {
  const scenes = deliveries.map(layOut);
  const surveyOf = createSurveys(scenes, options);
  const discover = (secret: string, more: DiscoverOptions): Discovery =>
    discoverIn(scenes, secret, { ...options, ...more }, surveyOf);
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

/** The discovery under each secret, the most informative first. Ends at a secret that verifies all deliveries. */
function tryEach(secrets: readonly string[], discover: (secret: string) => Discovery): Signing[] {
  const tried: Signing[] = [];
  for (const secret of secrets) {
    const discovery = discover(secret);
    tried.push({ secret, discovery });
    if (discovery.kind === 'verified') {
      break;
    }
  }
  const rankOf = ({ discovery }: Signing): number => mostInformativeFirst.indexOf(discovery.kind);
  return tried.sort((a, b) => rankOf(a) - rankOf(b));
}

/**
 * The secrets, beginning with those under which a known scheme verifies every delivery, so that no search is needed.
 */
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

/** The discovery with the counts of what was tried, summed up over all secrets. */
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

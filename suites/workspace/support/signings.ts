import { type DiscoverOptions, discoverScheme } from '../../../webhooks/signature/discover.ts';
import type { Discovery } from '../../../webhooks/signature/discovery.ts';
import { step } from '../../session/step.ts';
import { arrivals, type Reached } from './caused-events.ts';
import { registration, secretsOf } from './registrations.ts';

/** How the deliveries of one webhook are signed, as far as could be found out. */
export interface Signing {
  readonly webhook: Reached;
  readonly discovery: Discovery;
  /** The secret under which that was found. */
  readonly secret: string;
  /** No other secret is in question. */
  readonly isCertain: boolean;
}

/** What says most of a webhook's deliveries comes first. */
const order: readonly Discovery['kind'][] = [
  'verified',
  'inconsistent',
  're-serialised',
  'body-not-covered',
  'other-algorithm',
  'unknown-content',
  'unsigned',
];

/** The signing of each webhook that got deliveries. */
export const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const registered = await Promise.all(registration.begun(session));
  const known = new Set(registered.flatMap((one) => secretsOf(session, one).candidates));
  return webhooks.flatMap((webhook) => {
    const { candidates, isCertain } = secretsOf(session, webhook);
    const otherSecrets = [...known].filter((other) => !candidates.includes(other));
    // Without any secret the search still tells unsigned deliveries, and what carries a token.
    const search = (options: DiscoverOptions): Signing[] =>
      (candidates.length > 0 ? candidates : [webhook.chosen]).map((secret) => ({
        webhook,
        secret,
        isCertain,
        discovery: discoverScheme(webhook.deliveries, secret, options),
      }));
    // Usual schemes under each secret before unusual ones under a secret that may be the wrong one.
    const usual = search({ lastResort: false });
    const isFound = usual.some(({ discovery }) => discovery.kind === 'verified');
    const found = isFound ? usual : search({ otherSecrets });
    return found.sort((a, b) => order.indexOf(a.discovery.kind) - order.indexOf(b.discovery.kind)).slice(0, 1);
  });
});

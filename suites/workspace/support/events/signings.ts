import { discoverAmong } from '../../../../webhooks/signature/discover-among.ts';
import type { Discovery } from '../../../../webhooks/signature/discovery.ts';
import type { Scheme } from '../../../../webhooks/signature/scheme.ts';
import { mainKey } from '../../../session/keys.ts';
import { step } from '../../../session/step.ts';
import { arrivals, type Reached } from './arrivals.ts';
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

/** The signing of each webhook that got deliveries. */
export const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const registered = await Promise.all(registration.begun(session));
  const known = new Set(registered.flatMap((one) => secretsOf(session, one).candidates));
  const likely: Scheme[] = [];
  // A deployment signs for all webhooks alike: what no composition explains at one, none explains at the others.
  let isUnusual = false;
  return webhooks.map((webhook) => {
    const { candidates, isCertain } = secretsOf(session, webhook);
    const otherSecrets = [...known].filter((other) => !candidates.includes(other));
    // Without any secret the search still finds what is unsigned, and what has a token.
    const secrets = candidates.length > 0 ? candidates : [webhook.chosen];
    const mistakenSecrets = {
      "the webhook's id": webhook.attempt.id ?? '',
      "the webhook's URL": webhook.url,
      'the API key': mainKey(session).secret,
    };
    const lastResort = !isUnusual;
    const found = discoverAmong(webhook.deliveries, secrets, { otherSecrets, mistakenSecrets, likely, lastResort });
    isUnusual ||= found.discovery.kind === 'unknown-content';
    if (found.discovery.kind === 'verified') {
      const { scheme, alternatives, others } = found.discovery;
      likely.push(scheme, ...alternatives, ...others);
    }
    return { webhook, isCertain, ...found };
  });
});

import { discoverAmong } from '../../../../webhooks/signature/discover-among.ts';
import type { Discovery } from '../../../../webhooks/signature/discovery.ts';
import type { Scheme } from '../../../../webhooks/signature/scheme.ts';
import { mainKey } from '../../../session/keys.ts';
import { step } from '../../../session/step.ts';
import { arrivals, type WebhookArrivals } from './arrivals.ts';
import { registration, secretsOf } from './registrations.ts';

/** What was found out about the signatures of one webhook's deliveries. */
export interface Signing {
  readonly webhook: WebhookArrivals;
  readonly discovery: Discovery;
  /** The secret under which it was found. */
  readonly secret: string;
  /** Whether no other secret is in question. */
  readonly isCertain: boolean;
}

/** Finds out how the deliveries of each webhook are signed. Webhooks without deliveries are left out. */
export const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const registered = await Promise.all(registration.begun(session));
  const allSecrets = new Set(registered.flatMap((one) => secretsOf(session, one).candidates));
  const likelySchemes: Scheme[] = [];
  // A deployment signs for all webhooks alike: where the full search failed for one, it would for the others.
  let isUnknownContent = false;
  return webhooks.map((webhook) => {
    const { candidates, isCertain } = secretsOf(session, webhook);
    const otherSecrets = [...allSecrets].filter((secret) => !candidates.includes(secret));
    // Without a known secret, the search still finds unsigned deliveries, and where signatures stand.
    const secrets = candidates.length > 0 ? candidates : [webhook.chosen];
    const mistakenSecrets = {
      "the webhook's id": webhook.attempt.id ?? '',
      "the webhook's URL": webhook.url,
      'the API key': mainKey(session).secret,
    };
    const found = discoverAmong(webhook.deliveries, secrets, {
      otherSecrets,
      mistakenSecrets,
      likely: likelySchemes,
      lastResort: !isUnknownContent,
    });
    isUnknownContent ||= found.discovery.kind === 'unknown-content';
    if (found.discovery.kind === 'verified') {
      const { scheme, alternatives, others } = found.discovery;
      likelySchemes.push(scheme, ...alternatives, ...others);
    }
    return { webhook, isCertain, ...found };
  });
});

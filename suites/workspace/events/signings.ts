import { discoverAmong } from '../../../webhooks/signature/discover.ts';
import type { Discovery } from '../../../webhooks/signature/discovery.ts';
import type { Scheme } from '../../../webhooks/signature/scheme.ts';
import { type SecretCandidate, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { rawRows } from '../../reading/rows.ts';
import { nounOf } from '../../records/collections.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { pathOf } from '../kinds.ts';
import { arrivals, type WebhookArrivals } from './arrivals.ts';
import { type Registration, registration, type Secrets, secretsOf } from './registrations.ts';
import { findWebhook } from './webhook-story.ts';

/** What was found out about the signatures of one webhook's deliveries. */
export interface Signing {
  readonly webhook: WebhookArrivals;
  readonly discovery: Discovery;
  /** The secret under which it was found. */
  readonly secret: string;
  /** Whether no other secret is in question. */
  readonly isCertain: boolean;
}

/** What is found where no content under a secret explains the signatures, which takes the longest search. */
const unexplained: ReadonlySet<Discovery['kind']> = new Set(['unknown-content', 'other-algorithm']);

/** How many HMACs are computed for a webhook once those of another one could not be explained; usual schemes take less. */
const fewHmacs = 20_000;

/** Finds out how the deliveries of each webhook are signed. Webhooks without deliveries are left out. */
export const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const secrets = new Map<string, Secrets>();
  for (const one of await Promise.all(registration.begun(session))) {
    secrets.set(one.url, await findSecrets(session, one));
  }
  const allSecrets = new Set([...secrets.values()].flatMap(({ candidates }) => candidates));
  const likelySchemes: Scheme[] = [];
  // A deployment signs for all webhooks alike: where the full search failed for one, it would for the others.
  let isUnexplained = false;
  return webhooks.map((webhook) => {
    const { candidates, isCertain } = secrets.get(webhook.url) ?? secretsOf(session, webhook);
    const otherSecrets = [...allSecrets].filter((secret) => !candidates.includes(secret));
    // Without a known secret, the search still finds unsigned deliveries, and where signatures are.
    const tried = candidates.length > 0 ? candidates : [webhook.chosen];
    const mistakenSecrets = {
      "the webhook's id": webhook.attempt.id ?? '',
      "the webhook's URL": webhook.url,
      'the API key': mainKey(session).secret,
    };
    const found = discoverAmong(webhook.deliveries, tried, {
      otherSecrets,
      mistakenSecrets,
      likely: likelySchemes,
      ...(isUnexplained ? { lastResort: false, maxHmacs: fewHmacs } : {}),
    });
    isUnexplained ||= unexplained.has(found.discovery.kind);
    if (found.discovery.kind === 'verified') {
      const { scheme, alternatives, others } = found.discovery;
      likelySchemes.push(scheme, ...alternatives, ...others);
    }
    return { webhook, isCertain, ...found };
  });
});

/** The secrets that a webhook may use. Its row in the list may show the secret that its registration does not. */
async function findSecrets(session: Session, webhook: Registration): Promise<Secrets> {
  const shown = secretsOf(session, webhook);
  return shown.isCertain ? shown : secretsOf(session, webhook, await listedSecrets(session, webhook));
}

/** What the list shows as the secret of a webhook whose registration showed none; empty where it shows none. */
async function listedSecrets(
  session: Session,
  { attempt }: Pick<Registration, 'attempt'>,
): Promise<readonly SecretCandidate[]> {
  const { id } = attempt;
  const search = id === undefined ? null : await resultOrNull(findWebhook(session, { ...attempt, id }));
  const row = search === null ? undefined : rawRows(search.last, nounOf(pathOf('webhooks')))[search.place];
  return secretCandidates(row, [], attempt.body).filter(({ named }) => named);
}

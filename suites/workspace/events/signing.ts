import { walk } from '../../../common/json.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeScheme } from '../../../webhooks/signature/describe.ts';
import { discoverAmong } from '../../../webhooks/signature/discover.ts';
import type { Discovery, OddDelivery } from '../../../webhooks/signature/discovery.ts';
import { placeKey, type Scheme } from '../../../webhooks/signature/scheme.ts';
import { type SecretCandidate, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
import { mismatch } from '../../../webhooks/verify/verify.mjs';
import { signingSecretsIn } from '../../reading/shown-secrets.ts';
import type { Answer } from '../../session/call.ts';
import { mainKey, type Session, step } from '../../session/session.ts';
import type { Webhook } from './subscribe.ts';
import { arrivals, type WebhookArrivals } from './webhook-story.ts';

// How the deliveries of one webhook are signed, under which of the secrets in question, and what is wrong with that.

/** Finds out how the deliveries of each webhook are signed. Webhooks without deliveries are left out. */
export const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const secrets = webhooks.map((webhook) => secretsOf(session, webhook));
  const allSecrets = new Set(secrets.flatMap(({ candidates }) => candidates));
  return webhooks.map((webhook, index) => {
    const { candidates, isCertain } = secrets[index] as Secrets;
    const otherSecrets = [...allSecrets].filter((secret) => !candidates.includes(secret));
    // Where the secret is not known, another key may be it.
    const mistakenKeys = isCertain
      ? { 'the API key': mainKey(session).secret, "the webhook's id": webhook.id ?? '' }
      : {};
    return { webhook, isCertain, ...discoverAmong(webhook.deliveries, candidates, { otherSecrets, mistakenKeys }) };
  });
});

/** The secrets with which a webhook's deliveries may be signed. */
type Secrets = ReturnType<typeof secretsOf>;

function secretsOf({ settings }: Session, { answer, body, id, mailbox, secret: chosen }: Webhook) {
  // A webhook's id may have a field named like a secret, such as a key.
  const shown = secretsShownIn(answer, body).filter(({ value }) => value !== id);
  // Changed as refusals asked, the body may not contain the chosen secret, or contain another.
  const sent = [...(walk(body).some(({ value }) => value === chosen) ? [chosen] : []), ...signingSecretsIn(body)];
  const shownAgain = sent.filter((secret) => answer.unredacted(({ holds }) => holds(secret)));
  const named = [...(mailbox?.secrets ?? []), ...shown.filter((one) => one.named).map(({ value }) => value)];
  const users = settings.WEBHOOK_SECRET === undefined ? [] : [settings.WEBHOOK_SECRET];
  const candidates = [...shownAgain, ...named, ...users, ...sent, ...shown.map(({ value }) => value)];
  return {
    /**
     * Likeliest first: those shown and sent, those shown as secrets, the user's, those sent, others. Without a known
     * one, the search still finds unsigned deliveries, and where signatures are.
     */
    candidates: candidates.length > 0 ? [...new Set(candidates)] : [chosen],
    /**
     * Whether the deployment showed its secret, or the one that was sent: no other is in question. A user sets it where
     * the deployment neither takes nor shows one: what looks like one is something else.
     */
    isCertain: users.length === 0 && (shownAgain.length > 0 || named.length > 0),
  };
}

/** What the answer to a registration shows that was not sent and may be a secret. */
function secretsShownIn(answer: Answer, sent: unknown): readonly SecretCandidate[] {
  const names = (answer.exchange.response?.headers ?? []).map(([name]) => name);
  return answer.unredacted(({ json, header }) =>
    secretCandidates(
      json,
      [...new Set(names)].map((name) => [name, header(name) ?? '']),
      sent,
    ),
  );
}

/** What was found out about the signatures of one webhook's deliveries. */
export interface Signing {
  readonly webhook: WebhookArrivals;
  readonly discovery: Discovery;
  /** The secret under which it was found. */
  readonly secret: string;
  /** Whether no other secret is in question. */
  readonly isCertain: boolean;
}

/** What is wrong with the signatures of a webhook or, where `isOpen`, why that is unknown; null: they are right. */
export function signatureFinding(
  { webhook, discovery, isCertain, secret }: Signing,
  all: readonly Signing[],
): { readonly finding: Finding; readonly isOpen: boolean } | null {
  const { kind, says, notes } = discovery;
  if (kind === 'verified' || (kind === 'inconsistent' && !discovery.odd?.some(isWrong))) {
    return null;
  }
  const beside = kind === 'unknown-content' && isCertain ? provenBeside(webhook, secret, all) : undefined;
  const scheme = 'scheme' in discovery ? discovery.scheme : beside;
  const otherSecret = 'are not signed with its secret: the scheme that verifies another webhook does not verify them';
  const finding = {
    message: `Deliveries to the ${webhook.name}${beside === undefined ? `: ${says}` : ` ${otherSecret}`}`,
    expected: "an HMAC-SHA256 with the webhook's secret over content that includes the payload, on every delivery",
    ...(scheme === undefined
      ? { actual: 'no such signature' }
      : { actual: describeScheme(scheme), place: placeKey(scheme.signature) }),
    // Where most deliveries verify, notes on the scheme explain nothing.
    ...(notes.length === 0 || kind === 'inconsistent' ? {} : { cause: notes.join('; ') }),
  };
  if (kind === 'other-text') {
    // A canonical form is right where the deployment's own documents name it.
    const cause = discovery.isCanonical
      ? 'This is right if the documents of the deployment tell receivers to bring the body into that form, as in RFC 8785, before they verify it'
      : 'The payload is made into text twice, once to sign it and once to send it, or is cut';
    return { finding: { ...finding, cause }, isOpen: discovery.isCanonical === true };
  }
  if (kind !== 'unknown-content' || beside !== undefined) {
    return { finding, isOpen: false };
  }
  const advice = isCertain
    ? 'Report how the deployment signs, or check whether it uses another secret'
    : 'Set WEBHOOK_SECRET to the signing secret that the deployment shows you. The suite cannot tell whether registration took its own secret';
  const needs = isCertain ? {} : { needs: { setting: 'WEBHOOK_SECRET' as const } };
  return { finding: { ...finding, ...needs, advice }, isOpen: true };
}

/**
 * Those signed with another webhook's secret are left to workspace.webhooks.signature-secret. Those that have an
 * HMAC-SHA256 of another scheme are right: the document does not say that all events have one scheme.
 */
const isWrong = ({ difference }: OddDelivery): boolean => !['other-secret', 'other-scheme'].includes(difference);

/**
 * The scheme by which another webhook of the run is signed under its own secret, where no delivery of this webhook
 * verifies by it; undefined: there is none.
 */
const provenBeside = ({ deliveries }: WebhookArrivals, secret: string, all: readonly Signing[]): Scheme | undefined =>
  all
    .flatMap(({ discovery, isCertain }) => (isCertain && discovery.kind === 'verified' ? [discovery.scheme] : []))
    .find((scheme) => deliveries.every((delivery) => mismatch(scheme, delivery, secret)?.isWrong === true));

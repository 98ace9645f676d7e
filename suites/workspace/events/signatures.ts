import { counted } from '../../../common/words.ts';
import { Inconclusive, Skipped, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { type Discovery, describeScheme, type OddDelivery, oddWords } from '../../../webhooks/signature/describe.ts';
import { discoverAmong } from '../../../webhooks/signature/discover.ts';
import { placeKey } from '../../../webhooks/signature/scheme.ts';
import { secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
import { signingSecretsIn } from '../../reading/shown-secrets.ts';
import { read } from '../../records/reads.ts';
import { mainKey, type Session, step } from '../../session/session.ts';
import { listing } from '../records/creating.ts';
import { firstTwo, type Webhook } from '../records/run-records.ts';
import { allDeliveries, arrivals, type WebhookArrivals } from './webhook-story.ts';

// How the deliveries of one webhook are signed, under which of the secrets in question, and what is wrong with that.

/** Finds out how the deliveries of each webhook are signed. Webhooks without deliveries are left out. */
const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const secrets = webhooks.map((webhook) => secretsOf(session, webhook));
  const allSecrets = new Set(secrets.flatMap(({ candidates }) => candidates));
  return webhooks.map((webhook, index) => {
    const { candidates, isCertain, madeFor } = secrets[index] as Secrets;
    const otherSecrets = [...allSecrets].filter((secret) => !candidates.includes(secret));
    // Where the secret is not known, another key may be it.
    const mistakenKeys = isCertain
      ? { 'the API key': mainKey(session).secret, "the webhook's id": webhook.id ?? '' }
      : {};
    return {
      webhook,
      isCertain,
      madeFor,
      ...discoverAmong(webhook.deliveries, candidates, { otherSecrets, mistakenKeys }),
    };
  });
});

/** The secrets with which a webhook's deliveries may be signed. */
type Secrets = ReturnType<typeof secretsOf>;

function secretsOf({ settings }: Session, { answer, body, id, mailbox, secret: chosen }: Webhook) {
  const headers = [...new Set((answer.exchange.response?.headers ?? []).map(([name]) => name))];
  const shown = answer
    .unredacted(({ json, header }) =>
      secretCandidates(
        json,
        headers.map((name) => [name, header(name) ?? '']),
      ),
    )
    // A webhook's id may have a field named like a secret, such as a key.
    .filter(({ value }) => value !== id);
  const named = [...(mailbox?.secrets ?? []), ...shown.filter((one) => one.named).map(({ value }) => value)];
  const users = settings.WEBHOOK_SECRET === undefined ? [] : [settings.WEBHOOK_SECRET];
  // Changed as refusals asked, the body may not contain the chosen secret, or contain another.
  const all = [...named, ...users, ...[...secretCandidates(body), ...shown].map(({ value }) => value)];
  return {
    /**
     * Likeliest first: those shown as secrets, the user's, those sent, others. Without a known one, the search still
     * finds unsigned deliveries, and where signatures are.
     */
    candidates: all.length > 0 ? [...new Set(all)] : [chosen],
    /**
     * Whether the deployment showed its secret: no other is in question. A user sets it where
     * the deployment neither takes nor shows one: what looks like one is something else.
     */
    isCertain: users.length === 0 && named.length > 0,
    /** The signing secret that the deployment made for the webhook and showed; undefined: none. */
    madeFor: answer.unredacted(({ json }) => signingSecretsIn(json).find((value) => value !== chosen)),
  };
}

/** What was found out about the signatures of one webhook's deliveries. */
export interface Signing {
  readonly webhook: WebhookArrivals;
  readonly discovery: Discovery;
  /** The secret under which it was found. */
  readonly secret: string;
  /** Whether no other secret is in question. */
  readonly isCertain: boolean;
  readonly madeFor?: string | undefined;
}

/** What is wrong with the signatures of a webhook or, where `isOpen`, why that is unknown; null: they are right. */
export function signatureFinding({
  webhook,
  discovery,
  isCertain,
}: Signing): { readonly finding: Finding; readonly isOpen: boolean } | null {
  const { kind, says, notes } = discovery;
  if (kind === 'verified' || (kind === 'inconsistent' && !discovery.odd?.some(isWrong))) {
    return null;
  }
  const finding = {
    message: `Deliveries to the ${webhook.name}: ${says}`,
    expected: "an HMAC-SHA256 with the webhook's secret over content that includes the payload, on every delivery",
    ...('scheme' in discovery
      ? { actual: describeScheme(discovery.scheme, kind !== 'other-text'), place: placeKey(discovery.scheme.signature) }
      : { actual: 'no such signature' }),
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
  if (kind !== 'unknown-content') {
    return { finding, isOpen: false };
  }
  const advice = isCertain
    ? 'Check whether the deployment signs with another secret, such as one for all webhooks: set WEBHOOK_SECRET to that. If not, report how it signs'
    : 'Set WEBHOOK_SECRET to the signing secret that the deployment shows you. The suite cannot tell whether registration took its own secret';
  const needs = isCertain ? {} : { needs: { setting: 'WEBHOOK_SECRET' as const } };
  return { finding: { ...finding, ...needs, advice }, isOpen: true };
}

/**
 * Those signed with another webhook's secret are left to workspace.webhooks.signature-secret. Those that have an
 * HMAC-SHA256 of another scheme are right: the document does not say that all events have one scheme.
 */
const isWrong = ({ difference }: OddDelivery): boolean => !['other-secret', 'other-scheme'].includes(difference);

/** Every delivery carries an HMAC-SHA256 made with the webhook's secret over content that includes the payload. */
export async function judgeSignature(session: Session, tally: Tally): Promise<void> {
  await allDeliveries(session);
  const all = await signings(session);
  // Webhooks that are signed alike have one defect.
  const alike = Map.groupBy(all, ({ discovery, isCertain }) => JSON.stringify([discovery, isCertain]));
  const found = [...alike.values()].map(([first]) => signatureFinding(first as Signing));
  // The clause is about every delivery: one webhook that is undecided leaves it undecided.
  const open = found.flatMap((one) => (one?.isOpen ? [one.finding] : []));
  const wrong = found.flatMap((one) => (one === null || one.isOpen ? [] : [one.finding]));
  if (wrong.length === 0 && open.length > 0) {
    throw new Inconclusive(...open);
  }
  tally.judge(null, ...wrong);
}

/** The clause to blame where too few webhooks got events to judge, or their signatures are unknown. */
const clauseToBlame = (reached: number, needed: number): string =>
  reached < needed ? 'workspace.events.booking-created' : 'workspace.webhooks.signature';

/** The deliveries of one event to two webhooks are each signed with their own secret. */
export async function judgeSignatureSecret(session: Session, tally: Tally): Promise<void> {
  const all = (await signings(session)).filter(({ webhook }) => firstTwo.includes(webhook.name));
  const borrowed = all.flatMap(({ webhook, discovery }) => {
    const odd = 'odd' in discovery ? (discovery.odd ?? []) : [];
    const ofOthers = odd.filter(({ difference }) => difference === 'other-secret');
    return oddWords(ofOthers).map((words) => `${webhook.name}: ${words}`);
  });
  if (borrowed.length > 0) {
    tally.judge({
      message: `Deliveries are signed with another webhook's secret: ${borrowed.slice(0, 5).join('; ')}`,
      expected: "each webhook's own secret",
      actual: "another webhook's",
    });
    return;
  }
  // Other faults of a signature do not matter here: an HMAC found under a secret is made with it.
  const known = all.filter(({ discovery }) => 'scheme' in discovery);
  if (known.length < 2) {
    const message = `Unknown whose secret is used: the signature scheme of ${known.length} of ${counted(all.length, 'webhook')} was found`;
    throw new Inconclusive({ message, blames: clauseToBlame(all.length, 2) });
  }
  const areSame = known.every(({ secret }) => secret === known[0]?.secret);
  if (areSame && new Set(known.map(({ secret, madeFor = secret }) => madeFor)).size > 1) {
    tally.judge({
      message: 'Two webhooks with different secrets are signed with one key, which is neither of these',
      expected: "each webhook's own secret, as the answer to its registration shows it",
      actual: 'one secret for both, WEBHOOK_SECRET',
    });
    return;
  }
  if (areSame) {
    const message = 'Both webhooks are signed with one secret, so nothing shows whose it is';
    throw known[0]?.secret === session.settings.WEBHOOK_SECRET ? new Skipped(message) : new Inconclusive({ message });
  }
  tally.judge(null);
}

/** The scheme by which deliveries are signed, as verify.mjs and verify.py take it. */
export async function observeScheme(session: Session): Promise<unknown> {
  const all = (await signings(session)).map(({ discovery }) => discovery);
  const found = all.find(({ kind }) => kind === 'verified') ?? all.find((discovery) => 'scheme' in discovery);
  if (found === undefined || !('scheme' in found)) {
    const message = `No signature scheme was found: deliveries arrived at ${counted(all.length, 'webhook')}`;
    throw new Inconclusive({ message, blames: clauseToBlame(all.length, 1) });
  }
  const list = await read(session, listing('webhooks'));
  const showsSecrets = list.unredacted(({ json }) => signingSecretsIn(json).length > 0);
  return {
    says: describeScheme(found.scheme),
    scheme: found.scheme,
    notes: [
      ...found.notes,
      // The documents leave that open.
      ...(showsSecrets
        ? ['GET /v1/webhooks shows the secrets of webhooks: whoever may list them can sign deliveries']
        : []),
    ],
    found: found.kind,
    'verified by': 'webhooks/verify/verify.mjs (Node) and verify.py (Python), which take this scheme',
  };
}

import { counted } from '../../../common/words.ts';
import { createTally, judged, type Outcome, observed } from '../../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeScheme, oddWords } from '../../../webhooks/signature/describe.ts';
import { discoverAmong } from '../../../webhooks/signature/discover.ts';
import { oneKeyForBoth } from '../../../webhooks/signature/one-key.ts';
import { type Place, placeKey, type Scheme } from '../../../webhooks/signature/scheme.ts';
import { type SecretCandidate, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { rawRows } from '../../reading/rows.ts';
import { nounOf } from '../../records/collections.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { pathOf } from '../kinds.ts';
import { arrivals, noDelivery } from './arrivals.ts';
import { groupedSignings, type Signing, signatureFinding } from './signature-findings.ts';
import { findWebhook } from './story.ts';
import { type Registration, registration, type Secrets, secretsOf, webhookNames } from './subscribe.ts';

/** Every delivery carries an HMAC-SHA256 made with the webhook's secret over content that includes the payload. */
export async function judgeSignature(session: Session): Promise<Outcome> {
  const all = await signings(session);
  if (all.length === 0) {
    throw noDelivery();
  }
  const tally = createTally();
  const open: Finding[] = [];
  for (const signing of groupedSignings(all)) {
    try {
      tally.judge(signatureFinding(signing, all));
    } catch (error) {
      if (!(error instanceof Inconclusive)) {
        throw error;
      }
      open.push(...error.findings);
    }
  }
  const outcome = tally.outcome();
  // The clause is about every delivery: one webhook that is undecided leaves it undecided.
  if (outcome.failures.length === 0 && open.length > 0) {
    throw new Inconclusive(...open);
  }
  return outcome;
}

/** The webhooks with different secrets that ask for the same events. */
const comparedWebhooks: readonly string[] = [webhookNames.first, webhookNames.second];

/** The clause to blame where too few webhooks got events to judge, or their signatures are unknown. */
const clauseToBlame = (reached: number, needed: number): string =>
  reached < needed ? 'workspace.events.booking-created' : 'workspace.webhooks.signature';

/** The deliveries of one event to two webhooks are each signed with their own secret. */
export async function judgeOwnSecret(session: Session): Promise<Outcome> {
  const all = (await signings(session)).filter(({ webhook }) => comparedWebhooks.includes(webhook.name));
  const borrowed = all.flatMap(({ webhook, discovery }) =>
    discovery.kind !== 'inconsistent'
      ? []
      : oddWords(discovery.odd.filter(({ difference }) => difference === 'other-secret')).map(
          (words) => `${webhook.name}: ${words}`,
        ),
  );
  if (borrowed.length > 0) {
    return judged({
      message: `Deliveries are signed with another webhook's secret: ${borrowed.slice(0, 5).join('; ')}`,
      expected: "each webhook's own secret",
      actual: "another webhook's",
    });
  }
  const shared = sharedKey(all);
  if (shared !== undefined) {
    return judged({
      message: `Two webhooks with different secrets are signed with the same key: ${placeKey(shared)} is identical for identical bodies`,
      expected: "each webhook's own secret",
      actual: 'identical signatures over identical bytes',
      place: placeKey(shared),
    });
  }
  // Other faults of a signature do not matter here: an HMAC found under a secret is made with it.
  const known = all.filter(({ discovery }) => 'scheme' in discovery);
  if (known.length < 2) {
    const message = `Unknown whose secret is used: the signature scheme of only ${counted(known.length, 'webhook')} was found`;
    throw new Inconclusive({ message, blames: clauseToBlame(all.length, 2) });
  }
  const isOne = known.every(({ secret }) => secret === known[0]?.secret);
  if (isOne && known[0]?.secret === session.settings.WEBHOOK_SECRET) {
    throw new Skipped(
      'Both webhooks are signed with WEBHOOK_SECRET: they share one secret, so they cannot be told apart',
    );
  }
  if (isOne) {
    throw new Inconclusive({
      message:
        'Both webhooks are signed with one secret, and the deployment did not accept one from the suite: nothing shows whose it is',
    });
  }
  return judged(null);
}

/** The signature that two webhooks share although their secrets are known and differ; undefined: they share none. */
function sharedKey([one, other]: readonly Signing[]): Place | undefined {
  if (one === undefined || other === undefined || !one.isCertain || !other.isCertain || one.secret === other.secret) {
    return undefined;
  }
  const signed = ({ webhook, discovery }: Signing) => ({ deliveries: webhook.deliveries, discovery });
  return oneKeyForBoth(signed(one), signed(other));
}

/** The scheme by which deliveries are signed, as verify.mjs and verify.py take it. */
export async function observeScheme(session: Session): Promise<Outcome> {
  const all = (await signings(session)).map(({ discovery }) => discovery);
  const found = all.find(({ kind }) => kind === 'verified') ?? all.find((discovery) => 'scheme' in discovery);
  if (found === undefined || !('scheme' in found)) {
    const message = `No signature scheme was found: deliveries arrived at ${counted(all.length, 'webhook')}`;
    throw new Inconclusive({ message, blames: clauseToBlame(all.length, 1) });
  }
  return observed({
    says: describeScheme(found.scheme),
    scheme: found.scheme,
    notes: found.notes,
    found: found.kind,
    'verified by': 'webhooks/verify/verify.mjs (Node) and verify.py (Python), which take this scheme',
  });
}

/** How many HMACs are computed for a webhook once those of another one were searched for; usual schemes take less. */
const fewHmacs = 20_000;

/** Finds out how the deliveries of each webhook are signed. Webhooks without deliveries are left out. */
const signings = step(async (session): Promise<readonly Signing[]> => {
  const webhooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
  const secrets = new Map<string, Secrets>();
  for (const one of await Promise.all(registration.begun(session))) {
    secrets.set(one.url, await findSecrets(session, one));
  }
  const allSecrets = new Set([...secrets.values()].flatMap(({ candidates }) => candidates));
  const likelySchemes: Scheme[] = [];
  // A deployment signs for all webhooks alike: what the full search found for one is tried first for the others, and
  // where it failed, it would again.
  let isSearched = false;
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
      ...(isSearched ? { maxHmacs: fewHmacs } : {}),
    });
    isSearched ||= found.discovery.kind !== 'unsigned';
    if (found.discovery.kind === 'verified') {
      const { scheme, alternatives } = found.discovery;
      likelySchemes.push(scheme, ...alternatives);
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

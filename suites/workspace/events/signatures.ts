import { counted } from '../../../common/words.ts';
import { Inconclusive, Skipped, type Tally } from '../../../results/outcome.ts';
import { describeScheme, oddWords } from '../../../webhooks/signature/describe.ts';
import { oneKeyForBoth } from '../../../webhooks/signature/diagnose.ts';
import { placeKey } from '../../../webhooks/signature/scheme.ts';
import { stageOrNull } from '../../engine/check.ts';
import { signingSecretsIn } from '../../reading/shown-secrets.ts';
import type { Session } from '../../session/session.ts';
import { type Signing, signatureFinding, signings } from './signing.ts';
import { webhookNames } from './subscribe.ts';
import { allDeliveries, webhookStory } from './webhook-story.ts';

/** Every delivery carries an HMAC-SHA256 made with the webhook's secret over content that includes the payload. */
export async function judgeSignature(session: Session, tally: Tally): Promise<void> {
  await allDeliveries(session);
  const all = await signings(session);
  // Webhooks that are signed alike have one defect.
  const alike = Map.groupBy(all, ({ discovery, isCertain }) => JSON.stringify([discovery, isCertain]));
  const found = [...alike.values()].map(([first]) => signatureFinding(first as Signing, all));
  // The clause is about every delivery: one webhook that is undecided leaves it undecided.
  const open = found.flatMap((one) => (one?.isOpen ? [one.finding] : []));
  const wrong = found.flatMap((one) => (one === null || one.isOpen ? [] : [one.finding]));
  if (wrong.length === 0 && open.length > 0) {
    throw new Inconclusive(...open);
  }
  tally.judge(null, ...wrong);
}

/** The webhooks with different secrets that ask for the same events. */
const comparedWebhooks: readonly string[] = [webhookNames.first, webhookNames.second];

/** The clause to blame where too few webhooks got events to judge, or their signatures are unknown. */
const clauseToBlame = (reached: number, needed: number): string =>
  reached < needed ? 'workspace.events.booking-created' : 'workspace.webhooks.signature';

/** The deliveries of one event to two webhooks are each signed with their own secret. */
export async function judgeSignatureSecret(session: Session, tally: Tally): Promise<void> {
  const all = (await signings(session)).filter(({ webhook }) => comparedWebhooks.includes(webhook.name));
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
  const [one, other] = all.filter(({ isCertain }) => isCertain);
  const areTwo = one !== undefined && other !== undefined && one.secret !== other.secret;
  const signed = ({ webhook, discovery }: Signing) => ({ deliveries: webhook.deliveries, discovery });
  const shared = areTwo ? oneKeyForBoth(signed(one), signed(other)) : undefined;
  if (shared !== undefined) {
    tally.judge({
      message: `Two webhooks with different secrets are signed with the same key: ${placeKey(shared)} is identical for identical bodies`,
      expected: "each webhook's own secret",
      actual: 'identical signatures over identical bytes',
      place: placeKey(shared),
    });
    return;
  }
  // Other faults of a signature do not matter here: an HMAC found under a secret is made with it.
  const known = all.filter(({ discovery }) => 'scheme' in discovery);
  if (known.length < 2) {
    const message = `Unknown whose secret is used: the signature scheme of ${known.length} of ${counted(all.length, 'webhook')} was found`;
    throw new Inconclusive({ message, blames: clauseToBlame(all.length, 2) });
  }
  if (known.every(({ secret }) => secret === known[0]?.secret)) {
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
  return {
    says: describeScheme(found.scheme),
    scheme: found.scheme,
    notes: [...found.notes, ...(await notesOnList(session))],
    found: found.kind,
    'verified by': 'webhooks/verify/verify.mjs (Node) and verify.py (Python), which take this scheme',
  };
}

/** A remark where the list of webhooks shows secrets, which the documents leave open. */
async function notesOnList(session: Session): Promise<string[]> {
  const search = stageOrNull((await webhookStory(session)).listed)?.first;
  const pages = search === undefined ? [] : [search.first, search.last];
  return pages.some((page) => page.unredacted(({ json }) => signingSecretsIn(json).length > 0))
    ? ['GET /v1/webhooks shows the secrets of webhooks: whoever may list them can sign deliveries']
    : [];
}

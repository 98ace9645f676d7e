import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeDiscovery, describeScheme, oddWords } from '../../../webhooks/signature/describe.ts';
import type { Discovery } from '../../../webhooks/signature/discovery.ts';
import { placeKey } from '../../../webhooks/signature/scheme.ts';
import { mismatch } from '../../../webhooks/verify/verify.mjs';
import type { WebhookArrivals } from './arrivals.ts';

/** What was found out about the signatures of one webhook's deliveries. */
export interface Signing {
  readonly webhook: WebhookArrivals;
  readonly discovery: Discovery;
  /** The secret under which it was found. */
  readonly secret: string;
  /** Whether no other secret is in question. */
  readonly isCertain: boolean;
}

const expected = "an HMAC-SHA256 with the webhook's secret over content that includes the payload";

/** One signing for all webhooks that are signed alike: a defect gets one finding, which names them. */
export function groupedSignings(all: readonly Signing[]): Signing[] {
  const groups = Map.groupBy(all, ({ discovery, isCertain }) => JSON.stringify([discovery, isCertain]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) {
      return [];
    }
    const names = [first, ...others].map(({ webhook }) => webhook.name);
    const name = others.length === 0 ? first.webhook.name : `${names.length} webhooks (${names.join(', ')})`;
    return [{ ...first, webhook: { ...first.webhook, name } }];
  });
}

/**
 * The finding on the signatures of a webhook; null: they are right. `all`: those of all webhooks. Throws Inconclusive
 * where that is unknown.
 */
export function signatureFinding(
  { webhook, discovery, isCertain, secret }: Signing,
  all: readonly Signing[],
): Finding | null {
  const subject = `Deliveries to ${/^\d/.test(webhook.name) ? '' : 'the '}${webhook.name}`;
  const notes = discovery.notes.length === 0 ? {} : { cause: discovery.notes.join('; ') };
  switch (discovery.kind) {
    case 'verified':
      return null;
    case 'unsigned':
      return {
        message: `${subject} are not signed: no header or field has the size of a signature`,
        expected,
        actual: 'no signature',
        ...notes,
      };
    case 'other-algorithm':
      return {
        message: `${subject} are signed with ${discovery.algorithm}${discovery.isHmacSha256 ? '' : ', not HMAC-SHA256'}`,
        expected,
        actual: discovery.algorithm,
        place: placeKey(discovery.place),
        ...notes,
      };
    case 'other-text':
      if (discovery.isCanonical) {
        throw new Inconclusive(overCanonicalText(subject, discovery));
      }
      return overOtherText(subject, discovery);
    case 'body-not-covered':
      return {
        message: `${subject} carry a signature that does not cover the body: anybody can change it in transit`,
        expected,
        actual: describeScheme(discovery.scheme),
        place: placeKey(discovery.scheme.signature),
        ...notes,
      };
    case 'unknown-content': {
      const proven = isCertain ? provenBeside(webhook, secret, all) : undefined;
      if (proven === undefined) {
        throw new Inconclusive(unknownContent(subject, discovery, isCertain));
      }
      return besideProven(subject, proven);
    }
    case 'inconsistent':
      return inconsistent(subject, discovery);
  }
}

/** Shows the signed text beside the sent one, so that the difference says what to mend. */
const overOtherText = (
  subject: string,
  { words, sent, signed, scheme }: Extract<Discovery, { kind: 'other-text' }>,
): Finding => ({
  message: `${subject} are signed over a text other than the bytes sent: the ${words}. Receivers that verify the raw body reject them`,
  expected: `signed as sent: ${sent}`,
  actual: `signed instead: ${signed}`,
  place: placeKey(scheme.signature),
  cause: `The payload is made into text twice, once to sign it and once to send it, or is cut. ${describeScheme(scheme)}`,
});

/** The documents do not show what is signed: a canonical form is right where the deployment's own documents name it. */
const overCanonicalText = (...args: Parameters<typeof overOtherText>): Finding => ({
  ...overOtherText(...args),
  message: `${args[0]} are signed over the body as canonical JSON (sorted keys, no blanks, as in RFC 8785), not over the bytes sent`,
  cause:
    'This is right if the documents of the deployment tell receivers to bring the body into that form before they verify it; otherwise receivers that verify the raw body reject every delivery',
});

function unknownContent(
  subject: string,
  discovery: Extract<Discovery, { kind: 'unknown-content' }>,
  isCertain: boolean,
): Finding {
  const { tried, notes } = discovery;
  const places = discovery.places.map(placeKey).join(', ');
  const how = isCertain
    ? 'report how the deployment signs, or check whether it uses another secret'
    : "set WEBHOOK_SECRET to the signing secret as the deployment shows it: nothing shows that registration accepted the suite's secret, and it showed no other";
  const bound = tried.complete ? '' : '; the search reached its limit';
  return {
    message: `${subject}: ${describeDiscovery(discovery)}`,
    expected,
    actual: `${places}: ${tried.contents} contents under ${tried.keys} forms of the secret were tried${bound}`,
    cause: [how, ...notes].join('; '),
    ...(isCertain ? {} : { needs: { setting: 'WEBHOOK_SECRET' } }),
  };
}

/**
 * A signing with the scheme by which another webhook of the run is signed under its own secret, where no delivery of this
 * webhook verifies by it; undefined: there is none.
 */
const provenBeside = (
  { deliveries }: Signing['webhook'],
  secret: string,
  all: readonly Signing[],
): Extract<Discovery, { kind: 'verified' }> | undefined =>
  all
    .flatMap(({ discovery, isCertain }) => (isCertain && discovery.kind === 'verified' ? [discovery] : []))
    .find(({ scheme }) => deliveries.every((delivery) => mismatch(scheme, delivery, secret)?.isWrong === true));

const besideProven = (subject: string, { scheme }: Extract<Discovery, { kind: 'verified' }>): Finding => ({
  message: `${subject} are not signed with its secret: the scheme that verifies another webhook's deliveries does not verify these`,
  expected,
  actual: `another secret, or content that differs from the scheme: ${describeScheme(scheme)}`,
  place: placeKey(scheme.signature),
});

/**
 * Deliveries signed with another webhook's secret are left to workspace.webhooks.signature-secret. Those that have an
 * HMAC-SHA256 of another scheme are right: the document does not say that all events have one scheme.
 */
function inconsistent(subject: string, { odd, scheme }: Extract<Discovery, { kind: 'inconsistent' }>): Finding | null {
  const own = odd.filter(({ difference }) => difference !== 'other-secret' && difference !== 'other-scheme');
  if (own.length === 0) {
    return null;
  }
  return {
    message: `${subject} are not all signed the same way: ${oddWords(own).slice(0, 5).join('; ')}`,
    expected: `${expected}, on every delivery`,
    actual: `${own.length} differ from: ${describeScheme(scheme)}`,
    place: placeKey(scheme.signature),
  };
}

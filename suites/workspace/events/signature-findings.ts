import type { Finding } from '../../../results/verdict.ts';
import { describeDiscovery, describeScheme, oddWords } from '../../../webhooks/signature/describe.ts';
import type { Discovery } from '../../../webhooks/signature/discovery.ts';
import { type Place, placeKey, type Scheme } from '../../../webhooks/signature/scheme.ts';
import { mismatch } from '../../../webhooks/verify/verify.mjs';
import type { WebhookArrivals } from './story.ts';

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

/** What is wrong with the signatures of a webhook or, where `isOpen`, why that is unknown; null: they are right. */
export function signatureFinding(
  { webhook, discovery, isCertain, secret }: Signing,
  all: readonly Signing[],
): { readonly finding: Finding; readonly isOpen: boolean } | null {
  const subject = `Deliveries to the ${webhook.name}`;
  const wrong = (says: string, actual: string, place?: Place, text: Partial<Finding> = {}) => ({
    finding: {
      message: `${subject} ${says}`,
      expected,
      actual,
      ...(place === undefined ? {} : { place: placeKey(place) }),
      ...(discovery.notes.length === 0 ? {} : { cause: discovery.notes.join('; ') }),
      ...text,
    },
    isOpen: false,
  });
  switch (discovery.kind) {
    case 'verified':
      return null;
    case 'unsigned':
      return wrong('are not signed: no header or field has the size of a signature', 'no signature');
    case 'other-algorithm': {
      const { algorithm, isHmacSha256, place } = discovery;
      return wrong(`are signed with ${algorithm}${isHmacSha256 ? '' : ', not HMAC-SHA256'}`, algorithm, place);
    }
    case 'body-not-covered': {
      const says = 'carry a signature that does not cover the body: anybody can change it in transit';
      return wrong(says, describeScheme(discovery.scheme), discovery.scheme.signature);
    }
    case 'other-text': {
      const { words, sent, signed, scheme, isCanonical } = discovery;
      const says = `are signed over a text other than the bytes sent: the ${words}. Receivers that verify the raw body reject them`;
      const found = wrong(says, `signed instead: ${signed}`, scheme.signature, {
        expected: `signed as sent: ${sent}`,
        // A canonical form is right where the deployment's own documents name it.
        cause: isCanonical
          ? 'This is right if the documents of the deployment tell receivers to bring the body into that form, as in RFC 8785, before they verify it'
          : `The payload is made into text twice, once to sign it and once to send it, or is cut. ${describeScheme(scheme)}`,
      });
      return { ...found, isOpen: isCanonical };
    }
    case 'unknown-content': {
      const scheme = isCertain ? provenBeside(webhook, secret, all) : undefined;
      if (scheme !== undefined) {
        const says = `are not signed with its secret: the scheme that verifies another webhook's deliveries does not verify these`;
        const actual = `another secret, or content that differs from the scheme: ${describeScheme(scheme)}`;
        return wrong(says, actual, scheme.signature);
      }
      const { tried, places, notes } = discovery;
      const bound = tried.complete ? '' : '; the search reached its limit';
      const actual = `${places.map(placeKey).join(', ')}: ${tried.contents} contents under ${tried.keys} forms of the secret were tried${bound}`;
      const how = isCertain
        ? 'report how the deployment signs, or check whether it uses another secret'
        : "set WEBHOOK_SECRET to the signing secret as the deployment shows it: nothing shows that registration accepted the suite's secret, and it showed no other";
      const found = wrong('', actual, undefined, {
        message: `${subject}: ${describeDiscovery(discovery)}`,
        cause: [how, ...notes].join('; '),
        ...(isCertain ? {} : { needs: { setting: 'WEBHOOK_SECRET' } }),
      });
      return { ...found, isOpen: true };
    }
    case 'inconsistent': {
      // Those signed with another webhook's secret are left to workspace.webhooks.signature-secret. Those that have an
      // HMAC-SHA256 of another scheme are right: the document does not say that all events have one scheme.
      const own = discovery.odd.filter(({ difference }) => !['other-secret', 'other-scheme'].includes(difference));
      const { scheme } = discovery;
      const says = `are not all signed the same way: ${oddWords(own).slice(0, 5).join('; ')}`;
      const differ = `${own.length} differ from: ${describeScheme(scheme)}`;
      return own.length === 0
        ? null
        : wrong(says, differ, scheme.signature, { expected: `${expected}, on every delivery` });
    }
  }
}

/**
 * The scheme by which another webhook of the run is signed under its own secret, where no delivery of this webhook
 * verifies by it; undefined: there is none.
 */
const provenBeside = (
  { deliveries }: Signing['webhook'],
  secret: string,
  all: readonly Signing[],
): Scheme | undefined =>
  all
    .flatMap(({ discovery, isCertain }) => (isCertain && discovery.kind === 'verified' ? [discovery.scheme] : []))
    .find((scheme) => deliveries.every((delivery) => mismatch(scheme, delivery, secret)?.isWrong === true));

import { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeScheme } from '../../../../webhooks/signature/describe.ts';
import { describeDiscovery, oddWords } from '../../../../webhooks/signature/describe-discovery.ts';
import type { Discovery } from '../../../../webhooks/signature/discovery.ts';
import { formWords, sentAndSigned } from '../../../../webhooks/signature/sent-and-signed.ts';
import { sourceKey } from '../../../../webhooks/signature/source.ts';
import type { Signing } from './signings.ts';

const expected = "an HMAC-SHA256 with the webhook's secret over content that includes the payload";

/** The signings, those of webhooks that are signed by one rule together: one defect is told once, and of whom. */
export function signedAlike(all: readonly Signing[]): Signing[] {
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

/** What is wrong with the deliveries of one webhook; null where nothing is. Throws Inconclusive where that is unknown. */
export function signatureFinding({ webhook, discovery, isCertain }: Signing): Finding | null {
  const at = `Deliveries to ${/^\d/.test(webhook.name) ? '' : 'the '}${webhook.name}`;
  const notes = discovery.notes.length === 0 ? {} : { cause: discovery.notes.join('; ') };
  switch (discovery.kind) {
    case 'verified':
      return null;
    case 'unsigned':
      return {
        message: `${at} are not signed: no header or field has the size of a signature`,
        expected,
        actual: 'no signature',
        ...notes,
      };
    case 'other-algorithm':
      return {
        message: `${at} are signed with ${discovery.algorithm}${/^HMAC-SHA-256 /.test(discovery.algorithm) ? '' : ', not HMAC-SHA256'}`,
        expected,
        actual: discovery.algorithm,
        place: sourceKey(discovery.token),
        ...notes,
      };
    case 're-serialised':
      return overOtherText(at, webhook, discovery);
    case 'body-not-covered':
      return {
        message: `${at} carry a signature that does not cover the body: anybody can change it on its way`,
        expected,
        actual: describeScheme(discovery.scheme),
        place: sourceKey(discovery.scheme.signature.source),
        ...notes,
      };
    case 'unknown-content':
      throw new Inconclusive(unknownContent(at, discovery, isCertain));
    case 'inconsistent':
      return inconsistent(at, discovery);
  }
}

/** The signed text stands beside the sent one: what differs says what to mend. */
function overOtherText(
  at: string,
  { deliveries }: Signing['webhook'],
  { form, scheme }: Extract<Discovery, { kind: 're-serialised' }>,
): Finding {
  const beside = sentAndSigned(form, deliveries);
  return {
    message: `${at} are signed over another text than the bytes sent: the ${formWords(form)}. Receivers that verify the raw body reject them`,
    expected: beside === null ? expected : `signed as sent: ${beside.sent}`,
    actual: beside === null ? describeScheme(scheme) : `signed instead: ${beside.signed}`,
    place: sourceKey(scheme.signature.source),
    cause: `The payload is serialised twice, once to be signed and once to be sent. ${describeScheme(scheme)}`,
  };
}

function unknownContent(
  at: string,
  discovery: Extract<Discovery, { kind: 'unknown-content' }>,
  isCertain: boolean,
): Finding {
  const { tokens, tried, notes } = discovery;
  const places = tokens.map(({ source, bytes }) => `${sourceKey(source)} (${bytes} bytes)`).join(', ');
  const how = isCertain
    ? 'report what the deployment signs, or look whether another secret signs'
    : 'set WEBHOOK_SECRET to the signing secret as the deployment shows it: registration neither took ours for certain nor showed another';
  const bound = tried.complete ? '' : ', and a bound ended the search';
  return {
    message: `${at}: ${describeDiscovery(discovery)}`,
    expected,
    actual: `${places}: ${tried.contents} contents under ${tried.keys} forms of the secret were tried${bound}`,
    cause: [how, ...notes].join('; '),
    ...(isCertain ? {} : { needs: { setting: 'WEBHOOK_SECRET' } }),
  };
}

/** A delivery under another webhook's secret is the matter of signature-secret alone. */
function inconsistent(at: string, { odd, scheme }: Extract<Discovery, { kind: 'inconsistent' }>): Finding | null {
  const own = odd.filter(({ difference }) => difference !== 'other-secret');
  if (own.length === 0) {
    return null;
  }
  return {
    message: `${at} are not all signed alike: ${oddWords(own).slice(0, 5).join('; ')}`,
    expected: `${expected}, on every delivery`,
    actual: `${own.length} differ from: ${describeScheme(scheme)}`,
    place: sourceKey(scheme.signature.source),
  };
}

import { type Delivery, headerValues } from '../delivery.ts';
import { bounds } from '../read/bounds.ts';
import { explainContent, type Match, type Search } from '../scene.ts';
import { coversDigest } from './digest-headers.ts';

/** One entry of Signature-Input (RFC 9421, 4.1): its label, the components it covers and its parameters as sent. */
interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  /** Everything after `label=`, as it is in the signature base. */
  readonly parameters: string;
}

/** The entries of Signature-Input. */
export function signatureInputs(delivery: Delivery): SignatureInput[] {
  const value = headerValues(delivery, 'signature-input').join(', ').slice(0, bounds.headerLength);
  return [
    ...value.matchAll(
      /(?:^|,\s{0,8})([a-z*][a-z0-9_.*-]{0,63})=(\(([^()]*)\)(?:;[a-z*][a-z0-9_.*-]{0,63}(?:="[^"]*"|=[^\s,;"]+)?)*)/g,
    ),
  ].map(([, label = '', parameters = '', inner = '']) => ({
    label,
    parameters,
    components: [...inner.matchAll(/"([^"]*)"((?:;[^\s";]+(?:"[^"]*")?)*)/g)].map((one) => one[0]),
  }));
}

/** The signature base (RFC 9421, 2.5); undefined if the delivery lacks a component. */
export function signatureBase(input: SignatureInput, delivery: Delivery): string | undefined {
  const values = input.components.map((component) => componentValue(component, delivery));
  if (values.includes(undefined)) {
    return undefined;
  }
  const lines = input.components.map((component, at) => `${component}: ${values[at] ?? ''}`);
  return [...lines, `"@signature-params": ${input.parameters}`].join('\n');
}

function componentValue(component: string, delivery: Delivery): string | undefined {
  const name = /^"([^"]*)"$/.exec(component)?.[1]?.toLowerCase();
  if (name === undefined || name.startsWith('@')) {
    return name === undefined ? undefined : derivedComponents(delivery)[name];
  }
  const values = headerValues(delivery, name);
  return values.length === 0 ? undefined : values.map((value) => value.trim()).join(', ');
}

/** The derived components (RFC 9421, 2.2). */
function derivedComponents(delivery: Delivery): Record<string, string> {
  const url = URL.canParse(delivery.registeredUrl) ? new URL(delivery.registeredUrl) : undefined;
  const [path = '', query] = delivery.url.split('?');
  return {
    '@method': delivery.method,
    '@request-target': delivery.url,
    '@path': path,
    '@query': `?${query ?? ''}`,
    ...(url === undefined
      ? {}
      : { '@target-uri': url.href, '@authority': url.host, '@scheme': url.protocol.slice(0, -1) }),
  };
}

/** Whether the components include a Content-Digest (RFC 9530) that fits the body. */
export const coversBody = ({ components }: SignatureInput, delivery: Delivery): boolean =>
  components.includes('"content-digest"') && coversDigest(['content-digest'], delivery);

/** Finds an HMAC-SHA256 over the signature base of an entry in Signature-Input. */
export const findMessageSignature = (search: Search): Match[] =>
  signatureInputs(search.scene.delivery)
    .slice(0, 8)
    .flatMap((input) =>
      explainContent(
        search,
        { kind: 'message-signature', label: input.label, digest: coversBody(input, search.scene.delivery) },
        signatureBase(input, search.scene.delivery),
      ),
    );

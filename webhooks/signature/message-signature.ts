import { createHash } from 'node:crypto';
import { bounds } from './bounds.ts';
import type { Budget } from './budget.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import { explain } from './explain.ts';
import type { Key } from './keys.ts';
import type { Match, Scene } from './search.ts';

/** One entry of Signature-Input (RFC 9421, 4.1): its label, the components it covers and its parameters as sent. */
export interface SignatureInput {
  readonly label: string;
  readonly components: readonly string[];
  /** Everything after `label=`, as it stands in the signature base. */
  readonly parameters: string;
}

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

/** The signature base (RFC 9421, 2.5), or undefined where a component cannot be told from a delivery. */
export function signatureBase(input: SignatureInput, delivery: Delivery): string | undefined {
  const lines: string[] = [];
  for (const component of input.components) {
    const value = componentValue(component, delivery);
    if (value === undefined) {
      return undefined;
    }
    lines.push(`${component}: ${value}`);
  }
  return [...lines, `"@signature-params": ${input.parameters}`].join('\n');
}

function componentValue(component: string, delivery: Delivery): string | undefined {
  const name = /^"([^"]*)"$/.exec(component)?.[1]?.toLowerCase();
  if (name === undefined) {
    return undefined;
  }
  if (!name.startsWith('@')) {
    const values = headerValues(delivery, name);
    return values.length === 0 ? undefined : values.map((value) => value.trim()).join(', ');
  }
  return derivedComponents(delivery)[name];
}

/** RFC 9421, 2.2. */
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

/** Whether the components hold a Content-Digest (RFC 9530) that is true of the body. */
export function coversBody(input: SignatureInput, delivery: Delivery): boolean {
  if (!input.components.includes('"content-digest"')) {
    return false;
  }
  const digests = headerValues(delivery, 'content-digest').join(', ').slice(0, bounds.headerLength);
  const checks = (['sha-256', 'sha-512'] as const).flatMap((name) => {
    const given = new RegExp(`(?:^|[\\s,])${name}=:([A-Za-z0-9+/]+={0,2}):`).exec(digests)?.[1];
    return given === undefined
      ? []
      : [given === createHash(name.replace('-', '')).update(delivery.body).digest('base64')];
  });
  return checks.length > 0 && checks.every(Boolean);
}

/** HMAC-SHA256 over a signature base; the labels of Signature-Input say which. */
export function findMessageSignature(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  return signatureInputs(scene.delivery)
    .slice(0, 8)
    .flatMap((input) => {
      const base = signatureBase(input, scene.delivery);
      if (base === undefined) {
        return [];
      }
      const content = {
        kind: 'message-signature',
        label: input.label,
        digest: coversBody(input, scene.delivery),
      } as const;
      return explain(scene, keys, budget, base).map(({ token, key }) => ({ token, key, content }));
    });
}

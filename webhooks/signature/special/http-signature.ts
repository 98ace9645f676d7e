import { type Delivery, headerValues } from '../delivery.ts';
import { bounds } from '../read/bounds.ts';
import { explainContent, type Match, type Search } from '../scene.ts';
import { coversDigest } from './digest-headers.ts';

const parameter = (name: string, value: string): string | undefined =>
  new RegExp(`(?:^|[\\s,])${name}="?([^",]*)"?`).exec(value)?.[1];

/** The headers that a signature lists (`headers="…"`); Date if it lists none. */
const listed = (value: string): string[] =>
  (parameter('headers', value) ?? 'date').toLowerCase().split(' ').filter(Boolean).slice(0, bounds.headers);

/**
 * The signing string: `name: value` of each header that the signature lists, each on a line; undefined if one is
 * missing.
 */
export function signingString(header: string, delivery: Delivery): string | undefined {
  const value = headerValues(delivery, header)[0]?.slice(0, bounds.headerLength) ?? '';
  const lines = listed(value).map((name) => {
    const text = name.startsWith('(') ? special(name, value, delivery) : headerValues(delivery, name).join(', ').trim();
    return text === undefined || text === '' ? undefined : `${name}: ${text}`;
  });
  return lines.includes(undefined) ? undefined : lines.join('\n');
}

function special(name: string, value: string, { method, url }: Delivery): string | undefined {
  if (name === '(created)' || name === '(expires)') {
    return parameter(name.slice(1, -1), value);
  }
  return name === '(request-target)' ? `${method.toLowerCase()} ${url}` : undefined;
}

/** Whether one of the listed headers has a digest of the body. */
export const listsDigest = (header: string, delivery: Delivery): boolean =>
  coversDigest(
    listed(headerValues(delivery, header)[0]?.slice(0, bounds.headerLength) ?? '').filter(
      (name) => !name.startsWith('('),
    ),
    delivery,
  );

/** Finds signatures by the draft before RFC 9421: a parameter `signature="…"` in Signature or Authorization. */
export const findHttpSignature = (search: Search): Match[] =>
  ['Signature', 'Authorization']
    .filter((name) => headerValues(search.scene.delivery, name).some((value) => /signature="/i.test(value)))
    .flatMap((name) =>
      explainContent(
        search,
        { kind: 'http-signature', digest: listsDigest(name, search.scene.delivery) },
        signingString(name, search.scene.delivery),
      ),
    );

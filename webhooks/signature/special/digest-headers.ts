import { createHash } from 'node:crypto';
import { type Delivery, headerValues } from '../delivery.ts';
import { bounds } from '../read/bounds.ts';

/**
 * Whether one of these headers has the body's SHA-256 or SHA-512. A signature that covers the header then covers the
 * body.
 */
export function coversDigest(names: readonly string[], delivery: Delivery): boolean {
  const values = names
    .flatMap((name) => headerValues(delivery, name))
    .map((value) => value.slice(0, bounds.headerLength));
  const hashes = ['sha256', 'sha512'].flatMap((algorithm) => {
    const hash = createHash(algorithm).update(delivery.body).digest();
    return [hash.toString('base64'), hash.toString('hex')];
  });
  return values.some((value) => hashes.some((hash) => value.includes(hash)));
}

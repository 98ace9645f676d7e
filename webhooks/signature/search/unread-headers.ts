import type { Delivery } from '../delivery.ts';
import type { SeenToken } from '../discovery.ts';
import { isGeneral } from '../read/ingredients.ts';
import { isSignatureNamed, type Token } from '../read/tokens.ts';

/** A delivery, and what can be read in it. */
interface Read {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
}

/** A header without a token that can be read. */
interface Line {
  readonly name: string;
  readonly value: string;
  readonly body: Buffer;
}

/** As many characters as 32 bytes take in base64 without padding. No shorter value can hold an HMAC-SHA256. */
const leastLength = 43;
const longRun = new RegExp(`[\\w+/~=-]{${leastLength}}`);

/**
 * Headers that change with the body and have a run long enough for a signature, but no readable token: a signature
 * may be written in base32, or in credentials. Under a name for signatures it may be written in any characters.
 */
export function unreadHeaders(all: readonly Read[]): SeenToken[] {
  // A signature is the same only where the body is.
  const differs = (group: readonly Line[], { value, body }: Line): boolean =>
    group.every((other) => other.value !== value || other.body.equals(body));
  return [...Map.groupBy(all.flatMap(linesOf), ({ name }) => name)]
    .filter(([, group]) => group.every((line) => differs(group, line) && mayHoldSignature(line)))
    .map(([name]) => ({ source: { in: 'header', name, label: null }, bytes: 0 }));
}

/** Whether a header that cannot be read, and may be a signature, differs between two deliveries. */
export function unreadDiffers(one: Read, other: Read): boolean {
  const textOf = (read: Read): string =>
    JSON.stringify(
      linesOf(read)
        .filter(mayHoldSignature)
        .map(({ name, value }) => [name, value])
        .sort(),
    );
  return textOf(one) !== textOf(other);
}

const linesOf = ({ delivery: { headers, body }, tokens }: Read): Line[] =>
  headers
    .map(([name, value]) => ({ name: name.toLowerCase(), value, body }))
    .filter(({ name }) => !isGeneral(name) && !tokens.some((token) => isIn(token, name)));

const isIn = ({ source, bytes }: Token, header: string): boolean =>
  source.in === 'header' && source.name.toLowerCase() === header && bytes.length > 16;

const mayHoldSignature = ({ name, value }: Line): boolean =>
  isSignatureNamed({ in: 'header', name, label: null }) ? value.length >= leastLength : longRun.test(value);

/** A form in which a secret may be written. */
interface Form {
  readonly text: string;
  readonly isHex?: true;
}

/**
 * A secret as clients, servers and logs write it: as it is, percent-encoded once or twice, as a form, in JSON, in HTML,
 * in hexadecimal digits, and in base64 at each of the three alignments, so that it is found in basic credentials and
 * within longer texts, too. The windows are compared in any case.
 */
export function formsOf(secret: string): readonly Form[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const texts = new Set([
    secret,
    percent,
    encodeURIComponent(percent),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (character) => references[character] ?? character),
    ...[0, 1, 2].flatMap((before) => base64At(secret, before)),
  ]);
  return [...[...texts].map((text) => ({ text })), { text: Buffer.from(secret).toString('hex'), isHex: true }];
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The secret in base64 and base64url behind so many other bytes, without the symbols that hold bits of others. */
function base64At(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
  return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
}

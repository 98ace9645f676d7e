const strict = new TextDecoder('utf-8', { fatal: true });

/** The text of UTF-8 bytes, without a byte order mark; undefined if they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

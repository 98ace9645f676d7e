const strict = new TextDecoder('utf-8', { fatal: true });

/** Bytes as their text, without a byte order mark; undefined where they are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

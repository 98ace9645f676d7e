const mostParts = 100;

/** The parts of a multipart body by their names (RFC 7578); undefined if it has none. */
export function partsOf(bytes: Buffer, boundary: string): Record<string, unknown> | undefined {
  const mark = Buffer.from(`--${boundary}`);
  const parts: [string, string][] = [];
  for (let at = bytes.indexOf(mark); at >= 0 && parts.length < mostParts; ) {
    const next = bytes.indexOf(mark, at + mark.length);
    if (next < 0) {
      break;
    }
    const part = bytes.toString('utf8', at + mark.length, next).replace(/^\r?\n/, '');
    const [, head = '', content = ''] = /^((?:[^\r\n]+\r?\n)*)\r?\n([\s\S]*?)(?:\r?\n)?$/.exec(part) ?? [];
    const name = /\bname="?([^";\r\n]+)/i.exec(head)?.[1] ?? `part ${parts.length + 1}`;
    parts.push([name, content]);
    at = next;
  }
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

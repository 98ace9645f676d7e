import { parseJson } from '../../common/json.ts';

const base64 = /^[A-Za-z0-9+/_-]{8,}={0,2}\s*$/;

/**
 * The document in a text: JSON, the claims of a JWT, or base64 or percent-encoding of JSON; undefined if it is none of
 * these. `tried` is called before a text is parsed.
 */
export function decodeText(text: string, tried: () => void = () => undefined): unknown {
  const start = text.slice(0, 64).trimStart();
  if (/^[{[]/.test(start)) {
    tried();
    return parseJson(text);
  }
  const [, claims] = /^(?:Bearer\s+)?ey[\w-]+\.([\w-]+)\.[\w-]*\s*$/.exec(text) ?? [];
  if (claims !== undefined) {
    tried();
    return parseJson(Buffer.from(claims, 'base64url').toString('utf8'));
  }
  if (/^%(7B|5B)/i.test(start)) {
    tried();
    return parseJson(percentDecoded(text) ?? '');
  }
  if (base64.test(start.length < 64 ? start : `${start.slice(0, 62)}`) && startsJson(start)) {
    tried();
    return base64.test(text.trim()) ? parseJson(Buffer.from(text, 'base64').toString('utf8')) : undefined;
  }
  return undefined;
}

/** Whether a text begins like the base64 of a JSON object or list. */
const startsJson = (start: string): boolean =>
  /^\s*[{[]/.test(Buffer.from(start.slice(0, 16), 'base64').toString('latin1'));

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

import { decoded } from '../../common/uri.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';

/** Names of headers and query parameters that hold credentials: `Authorization`, `X-Session-Token`, `api_key`. */
const credentialName =
  /^(.*[_-])?(api[_-]?key|access[_-]?key|token|secret|authorization|auth|sig(nature)?|session([_-]?id)?|password|cookie)$|^key$/i;
/** Shorter values are words, and must not be redacted everywhere. */
const shortestSecret = 8;

/** The credentials that a call was sent with, and the cookies that it received. They must never be shown. */
export function credentialsOf(url: string, sent: HeaderLines, received: HeaderLines): string[] {
  const { username, password, searchParams } = new URL(url);
  const named = [...sent, ...searchParams].filter(([name]) => credentialName.test(name)).map(([, value]) => value);
  const cookies = received
    .filter(([name]) => /^set-cookie2?$/i.test(name))
    .map(([, value]) => value.split(';')[0] ?? '');
  const values = [...named, ...cookies, decoded(username), decoded(password)].flatMap(partsOf);
  return values.filter((value) => value.length >= shortestSecret);
}

/** The parts of a credential: the words of a header, the values of cookies, user and password of Basic. */
function partsOf(value: string): string[] {
  const words = value.split(/[\s;,]+/).map((word) => word.replace(/^[^=]*=(?=.)/, ''));
  const basic = /^Basic\s+(\S+)/i.exec(value)?.[1];
  return basic === undefined ? words : [...words, ...Buffer.from(basic, 'base64').toString('utf8').split(':')];
}

/** Whether a call has a key in any place where the two APIs look for one. */
export const hasKey = (url: string, sent: HeaderLines): boolean =>
  ['authorization', 'x-api-key', 'cookie'].some((name) => (headerOf(sent, name) ?? '') !== '') ||
  (new URL(url).searchParams.get('api_key') ?? '') !== '';

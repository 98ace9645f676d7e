import { decoded } from '../../common/uri.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';

/** Names of header lines and query parameters under which credentials go: `Authorization`, `X-Session-Token`, `api_key`. */
const telling =
  /^(.*[_-])?(api[_-]?key|access[_-]?key|token|secret|authorization|auth|sig(nature)?|session([_-]?id)?|password|cookie)$|^key$/i;
/** Shorter ones are words, and would be searched for everywhere. */
const leastSecret = 8;

/** What a call was authorised with, and the cookies that it was given to be authorised with: never shown. */
export function credentialsOf(url: string, sent: HeaderLines, received: HeaderLines): string[] {
  const { username, password, searchParams } = new URL(url);
  const telltale = [...sent, ...searchParams].filter(([name]) => telling.test(name)).map(([, value]) => value);
  const cookies = received
    .filter(([name]) => /^set-cookie2?$/i.test(name))
    .map(([, value]) => value.split(';')[0] ?? '');
  const values = [...telltale, ...cookies, decoded(username), decoded(password)].flatMap(partsOf);
  return values.filter((value) => value.length >= leastSecret);
}

/** The words of a scheme, the values of cookies, and the user and password of Basic. */
function partsOf(value: string): string[] {
  const words = value.split(/[\s;,]+/).map((word) => word.replace(/^[^=]*=(?=.)/, ''));
  const basic = /^Basic\s+(\S+)/i.exec(value)?.[1];
  return basic === undefined ? words : [...words, ...Buffer.from(basic, 'base64').toString('utf8').split(':')];
}

/** Whether a call carries a key at all, wherever the two APIs look for one. */
export const hasKey = (url: string, sent: HeaderLines): boolean =>
  ['authorization', 'x-api-key', 'cookie'].some((name) => (headerOf(sent, name) ?? '') !== '') ||
  (new URL(url).searchParams.get('api_key') ?? '') !== '';

import { type Asked, type Behaviour, changed, inHeader, texted } from '../behaviour.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const reversed = (text: string): string => [...text].reverse().join('');
const unicode = (text: string): string =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const inText = (write: (key: string) => string): Behaviour => texted(({ key }: Asked) => `you sent ${write(key)}.`);
/** The request's key, echoed in forms that a search for it would miss. */
export const echoes: Readonly<Record<string, Behaviour>> = {
  'as it is': inText((key) => key),
  'in upper case': inText((key) => key.toUpperCase()),
  'without its first half': inText((key) => key.slice(key.length >> 1)),
  'without its last four': inText((key) => key.slice(0, -4)),
  backwards: inText(reversed),
  'in base64': inText(base64),
  'in base64 of base64': inText((key) => base64(base64(key))),
  'in base64, a character late': inText((key) => base64(`x${key}`).slice(1)),
  'in base64, backwards': inText((key) => reversed(base64(key))),
  'in base64 of percent signs': inText((key) => base64(percent(key))),
  'in base64 on lines of 19': inText((key) => base64(`Bearer ${key}`).replace(/.{19}/g, '$&\r\n')),
  'in hexadecimal': inText((key) => Buffer.from(key).toString('hex')),
  'in hexadecimal of base64, upper case': inText((key) => Buffer.from(base64(key)).toString('hex').toUpperCase()),
  'in percent signs, twice': inText((key) => percent(percent(key))),
  'in percent signs with u': inText((key) => unicode(key).replaceAll('\\', '%')),
  'in JSON of JSON': inText((key) => JSON.stringify(JSON.stringify({ [key]: unicode(key) }))),
  'in character references': inText((key) => [...key].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join('')),
  'in references of references': inText((key) => [...key].map((one) => `&amp;#${one.charCodeAt(0)};`).join('')),
  'in Basic form, percent encoded': inText((key) => encodeURIComponent(`Basic ${base64(`${key}:`)}`)),
  'a thousand times': inText((key) => `${key} `.repeat(1_000)),
  'in the name of a header': changed((_, { key }) => ({ headers: [[`X-${key.replace(/\W/g, '')}`, 'a']] })),
  'in a cookie': inHeader('Set-Cookie', (key) => `key=${percent(key)}; Path=/`),
  'in Location': inHeader('Location', (key) => `/login?next=${encodeURIComponent(`/?api_key=${key}`)}`),
  'in WWW-Authenticate': inHeader('WWW-Authenticate', (key) => `Bearer error_description="${key.toUpperCase()}"`),
  'in a trace id': inHeader('X-Trace-Id', base64),
};

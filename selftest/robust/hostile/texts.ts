import { hostileTexts } from '../../hostile-texts.ts';
import { type Asked, type Behaviour, headed, inHeader, saying, texted, under, withFields } from './behaviour.ts';

/** The good JSON with every field called name renamed. */
const named = (text: string): Behaviour =>
  saying(({ body }) => body.replaceAll('"name":', () => `${JSON.stringify(text)}:`));

const each = (put: (text: string) => Behaviour): Readonly<Record<string, Behaviour>> =>
  Object.fromEntries(Object.entries(hostileTexts).map(([name, text]) => [name, put(text)]));

/** They replace every text of the answer, */
export const texts = each(texted);

/** stand where codes and times are expected, and as the names of fields. */
export const places: Readonly<Record<string, Behaviour>> = {
  ...each((text) => under(/^(code|message|trace_id|timestamp)$/, () => text)),
  'a script as a name': named(hostileTexts['a script'] ?? ''),
  'controls as a name': named(hostileTexts.controls ?? ''),
  'a command of a runner as a name': named('\n::error::owned\n'),
  'a JSON pointer as a name': named('/data/~0~1/../id'),
  'an image as the limit': headed(['X-RateLimit-Limit', '"><img src=x onerror=alert(1)>']),
  'Markdown as Location': headed(['Location', ')[x](javascript:alert(1)) ``` # Passed']),
};

const inText = (write: (key: string) => string): Behaviour => texted(({ key }: Asked) => `you sent ${write(key)}.`);
const echoing = (make: (key: string) => unknown): Behaviour =>
  withFields(({ key }) => `"echo":${JSON.stringify(make(key))}`);

/** The request's key, in places where a search for it would miss it. The redactor's own tests try its forms. */
export const echoes: Readonly<Record<string, Behaviour>> = {
  'as it is': inText((key) => key),
  'in upper case': inText((key) => key.toUpperCase()),
  'without its first half': inText((key) => key.slice(key.length >> 1)),
  'in the name of a header line': inHeader('X-Echo', (key) => key),
  'as every id': under(/^id$/, (key) => key),
  'as every name, code and time': under(/^(name|code|timestamp|trace_id)$/, (key) => `${key} ${key}`),
  'as the next page': echoing((key) => ({ next: `/api/v1/developer/keys?api_key=${key}&page=2` })),
  'as the name of a field': echoing((key) => ({ [key]: { [key.slice(9)]: true } })),
  'in a curl command': echoing((key) => `curl -H 'X-API-Key: ${key}' "https://x.invalid?a=$(id)"`),
  'in a cookie': inHeader('Set-Cookie', (key) => `session=${key}; Path=/`),
};

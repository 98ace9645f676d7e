import { Ajv } from 'ajv';
import { bodyFormNames } from './read/body-forms.ts';
import { keyDecodings } from './read/keys.ts';
import { timeUnits } from './read/times.ts';
import { urlFormNames } from './read/url-forms.ts';
import { encodings, type Scheme } from './scheme.ts';

const closed = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string', maxLength: 500 };
const name = { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" };
const yes = { type: 'boolean' };
const is = (value: string): object => ({ const: value });
const one = (values: readonly unknown[]): object => ({ enum: values });
const kindOf = (...schemas: object[]): object => ({ anyOf: schemas });

const source = kindOf(
  closed({ in: is('header'), name, label: kindOf(text, { type: 'null' }) }),
  closed({ in: is('query'), name: text }),
  closed({ in: is('body'), pointer: text }),
);

const part = kindOf(
  closed({ kind: is('literal'), text }),
  closed({ kind: is('value'), role: one(['timestamp', 'id', 'field']), source, as: one(timeUnits) }, [
    'kind',
    'role',
    'source',
  ]),
  closed({ kind: is('method'), lower: { const: true } }, ['kind']),
  closed({ kind: is('url'), form: one(urlFormNames) }),
  closed({ kind: is('body'), form: one(bodyFormNames) }),
);

const covers = kindOf(
  closed({ by: is('hash'), claim: text, encoding: one(['hex', 'base64', 'base64url']) }),
  closed({ by: is('claim'), claim: text }),
  closed({ by: is('detached'), encoded: yes }),
  closed({ by: one(['place', 'nothing']) }),
);

const content = kindOf(
  closed({ kind: is('parts'), parts: { type: 'array', items: part, minItems: 1, maxItems: 20 } }),
  closed({ kind: is('jws'), covers }),
  closed({
    kind: is('message-signature'),
    label: { type: 'string', pattern: '^[a-z*][a-z0-9_.*-]{0,63}$' },
    digest: yes,
  }),
  closed({ kind: is('http-signature'), digest: yes }),
  closed({ kind: is('canonical-request'), signedHeaders: name }),
);

const scheme = closed(
  {
    signature: closed(
      {
        source,
        template: { type: 'string', maxLength: 500, pattern: '\\{signature\\}' },
        list: one([',', ' ', ';']),
        groups: closed({ every: one([2, 4, 8, 16, 32]), by: one([':', '.', ' ', '-']) }),
      },
      ['source', 'template'],
    ),
    content,
    encoding: one(encodings),
    key: closed({ strip: text, decode: one(keyDecodings) }),
    timestamp: closed({ source, unit: one(timeUnits), covered: yes }),
  },
  ['signature', 'content', 'encoding', 'key'],
);

const validate = new Ajv({ allErrors: false, strict: false }).compile<Scheme>(scheme);

/**
 * The scheme in parsed JSON: by itself, or in the field `scheme`, as `npm run signature -- … --json` prints it. Throws
 * a TypeError that names what is wrong.
 */
export function parseScheme(json: unknown): Scheme {
  const given = typeof json === 'object' && json !== null && 'scheme' in json ? json.scheme : json;
  if (validate(given)) {
    return given;
  }
  const errors = validate.errors ?? [];
  const deepest = errors.reduce(
    (best, each) => (each.instancePath.length > best.instancePath.length ? each : best),
    errors[0] ?? { instancePath: '', message: 'is not a scheme' },
  );
  throw new TypeError(
    `${deepest.instancePath === '' ? 'the scheme' : deepest.instancePath} ${deepest.message ?? 'is wrong'}`,
  );
}

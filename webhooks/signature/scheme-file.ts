import { Ajv } from 'ajv';
import type { Scheme } from './scheme.ts';
import { bodyForms } from './scheme.ts';

const closed = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string', maxLength: 500 };
const name = { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" };
const is = (value: string): object => ({ const: value });
const kindOf = (...schemas: object[]): object => ({ anyOf: schemas });

const source = kindOf(
  closed({ in: is('header'), name, label: kindOf(text, { type: 'null' }) }),
  closed({ in: is('query'), name: text }),
  closed({ in: is('body'), pointer: text }),
);

const part = kindOf(
  closed({ kind: is('literal'), text }),
  closed({ kind: is('value'), role: { enum: ['timestamp', 'id', 'field'] }, source }),
  closed({ kind: is('method') }),
  closed({ kind: is('url'), form: { enum: ['registered', 'normalised', 'without-query', 'path', 'path-query'] } }),
  closed({ kind: is('body'), form: { enum: bodyForms } }),
);

const content = kindOf(
  closed({ kind: is('parts'), parts: { type: 'array', items: part, minItems: 1, maxItems: 20 } }),
  closed({ kind: is('jws'), claim: text, claimEncoding: { enum: ['hex', 'base64', 'base64url'] } }),
  closed({
    kind: is('message-signature'),
    label: { type: 'string', pattern: '^[a-z*][a-z0-9_.*-]{0,63}$' },
    digest: { type: 'boolean' },
  }),
  closed({ kind: is('canonical-request'), signedHeaders: name }),
);

const scheme = closed(
  {
    signature: closed(
      {
        source,
        template: { type: 'string', maxLength: 500, pattern: '\\{signature\\}' },
        list: { enum: [',', ' ', ';'] },
      },
      ['source', 'template'],
    ),
    content,
    encoding: { enum: ['hex', 'base64', 'base64url', 'base64-hex'] },
    key: closed({ strip: text, decode: { enum: ['utf8', 'base64', 'hex', 'trimmed', 'sha256-hex', 'sha256'] } }),
    timestamp: closed({
      source,
      unit: { enum: ['s', 'ms', 'us', 'ns', 'iso-8601', 'http-date'] },
      covered: { type: 'boolean' },
    }),
  },
  ['signature', 'content', 'encoding', 'key'],
);

const validate = new Ajv({ allErrors: false, strict: false }).compile<Scheme>(scheme);

/**
 * A scheme out of parsed JSON: one by itself, or under `scheme` as `npm run signature -- … --json` prints it. Throws
 * TypeError with the place that is wrong.
 */
export function parseScheme(json: unknown): Scheme {
  const given = typeof json === 'object' && json !== null && 'scheme' in json ? json.scheme : json;
  if (validate(given)) {
    return given;
  }
  const errors = validate.errors ?? [];
  const deepest = errors.reduce(
    (best, one) => (one.instancePath.length > best.instancePath.length ? one : best),
    errors[0] ?? { instancePath: '', message: 'is no scheme' },
  );
  throw new TypeError(
    `${deepest.instancePath === '' ? 'the scheme' : deepest.instancePath} ${deepest.message ?? 'is wrong'}`,
  );
}

import { Ajv } from 'ajv';
import type { Scheme } from './scheme.ts';
import { timeUnits } from './times.ts';

const closed = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const text = { type: 'string', maxLength: 500 };
const is = (...values: string[]): object => ({ enum: values });
const header = { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" };

/** A place in the delivery, with further properties. */
const placed = (more: Record<string, object> = {}, optional: readonly string[] = []): object[] => [
  closed({ from: is('header'), name: header, label: text, ...more }, ['label', ...optional]),
  closed({ from: is('query', 'field'), name: text, ...more }, optional),
];
const common = {
  signature: {
    anyOf: placed({ template: { ...text, pattern: '\\{signature\\}' }, list: is(',', ' ', ';') }, ['list']),
  },
  key: closed({ strip: text, decode: is('text', 'base64', 'hex') }),
  time: { anyOf: placed({ unit: is(...timeUnits) }) },
};
const part = {
  anyOf: [
    ...placed(),
    closed({ from: is('text'), text }),
    closed({ from: is('body'), hash: is('hex', 'base64') }, ['hash']),
    closed({ from: is('method', 'url', 'target', 'path', 'host') }),
    closed({ from: is('signed-headers'), name: header }),
  ],
};
const schemes = [
  closed(
    {
      kind: is('parts'),
      ...common,
      parts: { type: 'array', items: part, minItems: 1, maxItems: 20 },
      joiner: { type: 'string', maxLength: 20 },
      encoding: is('hex', 'base64', 'base64url', 'base64-hex'),
    },
    ['time'],
  ),
  closed({ kind: is('jws'), ...common, claim: text, encoding: is('hex', 'base64', 'base64url') }, [
    ...['time', 'claim', 'encoding'],
  ]),
  closed({ kind: is('rfc9421'), ...common, label: header, digest: { type: 'boolean' } }, ['time']),
];

const validate = new Ajv({ strict: false }).compile<Scheme>({ anyOf: schemes });

/**
 * The scheme in parsed JSON: by itself, or in the field `scheme`, as `npm run signature -- … --json` prints it. Throws
 * a TypeError that names what is wrong.
 */
export function parseScheme(json: unknown): Scheme {
  const given = typeof json === 'object' && json !== null && 'scheme' in json ? json.scheme : json;
  if (validate(given)) {
    return given;
  }
  // The deepest error is that of the kind that is meant.
  const [error] = (validate.errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length);
  throw new TypeError(`${error?.instancePath || 'the scheme'} ${error?.message ?? 'is wrong'}`);
}

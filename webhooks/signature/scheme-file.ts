import { Ajv } from 'ajv';
import type { Scheme } from './scheme.ts';
import { timeUnits } from './times.ts';

const closed = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string', maxLength: 500 };
const name = { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" };
const is = (...values: string[]): object => ({ enum: values });

/** A place with further properties. */
const places = (more: Record<string, object>, required: readonly string[]): object[] => [
  closed({ from: is('header'), name, label: text, ...more }, ['from', 'name', ...required]),
  closed({ from: is('query', 'field'), name: text, ...more }, ['from', 'name', ...required]),
];
const signature = {
  anyOf: places({ template: { ...text, pattern: '\\{signature\\}' }, list: is(',', ' ', ';') }, ['template']),
};
const part = {
  anyOf: [
    ...places({}, []),
    closed({ from: is('text'), text }),
    closed({ from: is('body'), hash: is('hex', 'base64') }, ['from']),
    closed({ from: is('method', 'url', 'target', 'path', 'host') }),
    closed({ from: is('signed-headers'), name }),
  ],
};
const common = {
  signature,
  key: closed({ strip: text, decode: is('text', 'base64', 'hex', 'sha256-hex', 'sha256') }),
  time: { anyOf: places({ unit: is(...timeUnits) }, ['unit']) },
};

const parts = closed(
  {
    kind: is('parts'),
    ...common,
    parts: { type: 'array', items: part, minItems: 1, maxItems: 20 },
    joiner: { type: 'string', maxLength: 20 },
    encoding: is('hex', 'base64', 'base64url', 'base64-hex'),
  },
  ['kind', 'signature', 'key', 'parts', 'joiner', 'encoding'],
);
const jws = closed({ kind: is('jws'), ...common, claim: text, encoding: is('hex', 'base64', 'base64url') }, [
  'kind',
  'signature',
  'key',
]);
const message = closed(
  {
    kind: is('rfc9421'),
    ...common,
    label: { type: 'string', pattern: '^[a-z*][a-z0-9_.*-]{0,63}$' },
    digest: { type: 'boolean' },
  },
  ['kind', 'signature', 'key', 'label', 'digest'],
);

const validate = new Ajv({ allErrors: false, strict: false }).compile<Scheme>({ anyOf: [parts, jws, message] });

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

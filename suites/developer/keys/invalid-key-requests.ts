import type { Body } from '../../records/bodies.ts';
import { without } from '../calls/bodies.ts';

/** One thing that is wrong with a key request. */
export interface Flaw {
  /** `no name`: follows "Key request with" in findings. */
  readonly label: string;
  /** Gives the body with the flaw. */
  readonly applyTo: (body: Body) => Body;
}

const lacking = (field: string): Flaw => ({ label: `no ${field}`, applyTo: (body) => without(body, field) });

const withField = (label: string, field: string, value: unknown): Flaw => ({
  label,
  applyTo: (body) => ({ ...body, [field]: value }),
});

const withEnvironment = (value: unknown): Flaw =>
  withField(`the environment ${JSON.stringify(value)}`, 'environment', value);

/** The flaw is in the middle: a deployment may look at the first or the last scope alone. */
const withScope = (scope: unknown): Flaw =>
  withField(`the scope ${JSON.stringify(scope)}`, 'scopes', ['ads:read', scope, 'investor:read']);

/** A value of every JSON type but the right one, by the name of the type. Lists and objects contain a valid `text`. */
const valuesOfOtherTypes = (right: 'a string' | 'an array', text: string): readonly (readonly [string, unknown])[] => {
  const values = {
    null: null,
    'a number': 42,
    'a boolean': true,
    'a string': text,
    'an array': [text],
    'an object': { name: text },
  };
  return Object.entries(values).filter(([type]) => type !== right);
};

/** One flaw of each kind, for where only a few requests can be spent. */
export const mainFlaws: readonly Flaw[] = [
  lacking('name'),
  lacking('environment'),
  lacking('scopes'),
  withField('a number as name', 'name', 42),
  withEnvironment('staging'),
  withField('a string as scopes', 'scopes', 'ads:read'),
  withScope('ads:admin'),
];

/** What else may be wrong with a key request (API key request; What the service does, rule 1). */
const furtherFlaws = (tag: string): readonly Flaw[] => [
  ...valuesOfOtherTypes('a string', 'key').map(([type, value]) => withField(`${type} as name`, 'name', value)),
  ...valuesOfOtherTypes('a string', 'sandbox').map(([, value]) => withEnvironment(value)),
  // To `^sandbox$` of some languages, a text with a line break is a match.
  ...['', 'test', 'production', 'SANDBOX', 'LIVE', 'sandbox\n'].map(withEnvironment),
  ...valuesOfOtherTypes('an array', 'ads:read').map(([type, value]) => withField(`${type} as scopes`, 'scopes', value)),
  ...valuesOfOtherTypes('a string', 'ads:read').map(([, value]) => withScope(value)),
  withField('an array of numbers as scopes', 'scopes', [1, 2]),
  ...[
    '',
    'ads',
    'ads:readonly',
    'ads:*',
    '*',
    'ADS:READ',
    ' ads:write ',
    'ads:write\n',
    'ads:read ads:write',
    'ads:read,ads:write',
    'read:ads',
    'ads.read',
    'ads:read:all',
    `${tag}:read`,
    'anything:read',
  ].map(withScope),
];

/** The main flaws and all others, each once. `tag`, the run's, makes a scope prefix that no module has. */
export const allFlaws = (tag: string): readonly Flaw[] => [
  ...new Map([...mainFlaws, ...furtherFlaws(tag)].map((flaw) => [flaw.label, flaw])).values(),
];

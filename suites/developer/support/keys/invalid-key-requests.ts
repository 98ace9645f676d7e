import { type Body, without } from '../bodies/bodies.ts';

/** One thing that is wrong with a key request. */
export interface Flaw {
  /** `no name`: stands behind "Key request with" in findings. */
  readonly says: string;
  /** Gives the body with the flaw. */
  readonly applyTo: (body: Body) => Body;
}

const lacking = (field: string): Flaw => ({ says: `no ${field}`, applyTo: (body) => without(body, field) });

const withField = (says: string, field: string, value: unknown): Flaw => ({
  says,
  applyTo: (body) => ({ ...body, [field]: value }),
});

const withEnvironment = (value: unknown): Flaw =>
  withField(`the environment ${JSON.stringify(value)}`, 'environment', value);

/** The flaw is in the middle: a deployment may look at the first or the last scope alone. */
const withScope = (scope: unknown): Flaw =>
  withField(`the scope ${JSON.stringify(scope)}`, 'scopes', ['ads:read', scope, 'investor:read']);

/** A value of every JSON type but the right one, by the name of the type. Lists and objects contain a valid `text`. */
const valuesOfOtherTypes = (right: 'a text' | 'a list', text: string): readonly (readonly [string, unknown])[] => {
  const values = {
    null: null,
    'a number': 42,
    'a flag': true,
    'a text': text,
    'a list': [text],
    'an object': { name: text },
  };
  return Object.entries(values).filter(([type]) => type !== right);
};

/** One flaw of each kind, for where only a few requests can be spent. */
export const mainFlaws: readonly Flaw[] = [
  lacking('name'),
  lacking('environment'),
  lacking('scopes'),
  withField('a name that is a number', 'name', 42),
  withEnvironment('staging'),
  withField('scopes that are a text', 'scopes', 'ads:read'),
  withScope('ads:admin'),
];

/** What else may be wrong with a key request (API key request; What the service does, rule 1). */
const furtherFlaws = (tag: string): readonly Flaw[] => [
  ...valuesOfOtherTypes('a text', 'key').map(([type, value]) => withField(`a name that is ${type}`, 'name', value)),
  ...valuesOfOtherTypes('a text', 'sandbox').map(([, value]) => withEnvironment(value)),
  // To `^sandbox$` of some languages, a text with a line break is a match.
  ...['', 'test', 'production', 'SANDBOX', 'LIVE', 'sandbox\n'].map(withEnvironment),
  ...valuesOfOtherTypes('a list', 'ads:read').map(([type, value]) =>
    withField(`scopes that are ${type}`, 'scopes', value),
  ),
  ...valuesOfOtherTypes('a text', 'ads:read').map(([, value]) => withScope(value)),
  withField('scopes that are an array of numbers', 'scopes', [1, 2]),
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
  ...new Map([...mainFlaws, ...furtherFlaws(tag)].map((flaw) => [flaw.says, flaw])).values(),
];

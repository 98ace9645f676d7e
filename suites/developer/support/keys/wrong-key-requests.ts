import { type Body, without } from '../calls/bodies.ts';

/** A thing that may be wrong with a key request. */
export interface Wrong {
  readonly says: string;
  readonly wrong: (body: Body) => Body;
}

const lacking = (field: string): Wrong => ({ says: `no ${field}`, wrong: (body) => without(body, field) });

const withField = (says: string, field: string, value: unknown): Wrong => ({
  says,
  wrong: (body) => ({ ...body, [field]: value }),
});

const withEnvironment = (value: unknown): Wrong =>
  withField(`the environment ${JSON.stringify(value)}`, 'environment', value);

const withScope = (scope: unknown): Wrong =>
  withField(`the scope ${JSON.stringify(scope)}`, 'scopes', ['ads:read', scope]);

/** A value of every type of JSON but the right one, by what it is called. The right text stands in those that hold others. */
const otherThan = (right: 'a text' | 'a list', text: string): readonly (readonly [string, unknown])[] => {
  const typed = {
    null: null,
    'a number': 42,
    'a flag': true,
    'a text': text,
    'a list': [text],
    'an object': { name: text },
  };
  return Object.entries(typed).filter(([type]) => type !== right);
};

/** The first of each kind: where a call is dear, these alone are made. */
export const firstWrongs: readonly Wrong[] = [
  lacking('name'),
  lacking('environment'),
  lacking('scopes'),
  withField('a name that is a number', 'name', 42),
  withEnvironment('staging'),
  withField('scopes that are a text', 'scopes', 'ads:read'),
  withScope('ads:admin'),
];

/** What else may be wrong with a key request, one thing at a time (API key request; What the service does, rule 1). */
const furtherWrongs = (tag: string): readonly Wrong[] => [
  ...otherThan('a text', 'key').map(([type, value]) => withField(`a name that is ${type}`, 'name', value)),
  ...otherThan('a text', 'sandbox').map(([, value]) => withEnvironment(value)),
  ...['', 'test', 'production', 'SANDBOX', 'LIVE'].map(withEnvironment),
  ...otherThan('a list', 'ads:read').map(([type, value]) => withField(`scopes that are ${type}`, 'scopes', value)),
  ...otherThan('a text', 'ads:read').map(([, value]) => withScope(value)),
  withField('scopes that are an array of numbers', 'scopes', [1, 2]),
  ...[
    '',
    'ads',
    'ads:readonly',
    'ads:*',
    '*',
    'ADS:READ',
    ' ads:write ',
    'ads:read ads:write',
    'ads:read,ads:write',
    'read:ads',
    'ads.read',
    'ads:read:all',
    `${tag}:read`,
    'anything:read',
  ].map(withScope),
];

/** All of them, each once. */
export const allWrongs = (tag: string): readonly Wrong[] => [
  ...new Map([...firstWrongs, ...furtherWrongs(tag)].map((one) => [one.says, one])).values(),
];

/** The prefixes of the developer API's six product modules, in the document's order. */
export const prefixes = ['ads', 'investor', 'scheduling', 'inbox', 'routing', 'content'] as const;

export type Prefix = (typeof prefixes)[number];
export type Scope = `${Prefix}:${'read' | 'write'}`;

/** The two scopes of a module. */
export const scopesOf = (prefix: Prefix): readonly Scope[] => [`${prefix}:read`, `${prefix}:write`];

/** The twelve scope names. */
export const scopes: readonly Scope[] = prefixes.flatMap(scopesOf);

/** The ten scopes of all other modules. */
export const scopesWithout = (prefix: Prefix): readonly Scope[] =>
  scopes.filter((scope) => !scope.startsWith(`${prefix}:`));

export type Environment = 'live' | 'sandbox';

/** What a key opens: an environment of the developer API, also by contract, or a workspace. */
export type KeyEnvironment = Environment | 'enterprise' | 'workspace';

/** How the keys of an environment begin (Authentication 3). */
export const keyPrefix: Readonly<Record<Environment, string>> = { live: 'svc_live_', sandbox: 'svc_test_' };

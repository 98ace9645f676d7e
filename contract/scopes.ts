/** A product module of the developer API. */
interface Module {
  readonly prefix: Prefix;
  readonly title: string;
}

export type Prefix = 'ads' | 'investor' | 'scheduling' | 'inbox' | 'routing' | 'content';
type Access = 'read' | 'write';
export type Scope = `${Prefix}:${Access}`;

/** The six modules, in the document's order. */
export const modules: readonly Module[] = [
  { prefix: 'ads', title: 'Ad intelligence' },
  { prefix: 'investor', title: 'Investor relations' },
  { prefix: 'scheduling', title: 'Booking and leads' },
  { prefix: 'inbox', title: 'AI email' },
  { prefix: 'routing', title: 'Voice and SMS' },
  { prefix: 'content', title: 'Content' },
];

/** The two scopes of a module. */
export const scopesOf = (prefix: Prefix): readonly Scope[] => [`${prefix}:read`, `${prefix}:write`];

/** The twelve scope names. */
export const scopes: readonly Scope[] = modules.flatMap(({ prefix }) => scopesOf(prefix));

/** The ten scopes of all other modules. */
export const scopesWithout = (prefix: Prefix): readonly Scope[] =>
  scopes.filter((scope) => !scope.startsWith(`${prefix}:`));

export type Environment = 'live' | 'sandbox';

/** What a key opens: an environment of the developer API, also by contract, or a workspace. */
export type KeyEnvironment = Environment | 'enterprise' | 'workspace';

/** How the keys of an environment begin (Authentication 3). */
export const keyPrefix: Readonly<Record<Environment, string>> = { live: 'svc_live_', sandbox: 'svc_test_' };

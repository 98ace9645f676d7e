import { type DiscoverOptions, discoverScheme } from '../../webhooks/signature/discover.ts';
import type { Discovery } from '../../webhooks/signature/discovery.ts';
import { arrivals, type Reached } from './experiments.ts';
import { secretsOf } from './hooks.ts';
import type { WorkspaceSession } from './session.ts';

/** How the deliveries of one webhook are signed, as far as could be found out. */
export interface Signing {
  readonly hook: Reached;
  readonly discovery: Discovery;
  /** The secret under which that was found. */
  readonly secret: string;
  /** No other secret is in question. */
  readonly certain: boolean;
}

/** What tells most of a webhook's deliveries comes first. */
const telling: readonly Discovery['kind'][] = [
  'verified',
  'inconsistent',
  're-serialised',
  'body-not-covered',
  'other-algorithm',
  'unknown-content',
  'unsigned',
];

/** The signing of each webhook that got deliveries, found once a run. */
export const signings = (session: WorkspaceSession): Promise<readonly Signing[]> =>
  session.once('signing schemes', async () => {
    const hooks = (await arrivals(session)).filter(({ deliveries }) => deliveries.length > 0);
    return hooks.flatMap(({ deliveries, ...hook }) => {
      const { candidates, certain } = secretsOf(session, hook);
      const others = new Set(session.hooks.flatMap((one) => secretsOf(session, one).candidates));
      const otherSecrets = [...others].filter((other) => !candidates.includes(other));
      // Without any secret the search still tells unsigned deliveries, and what carries a token.
      const search = (options: DiscoverOptions): Signing[] =>
        (candidates.length > 0 ? candidates : [hook.chosen]).map((secret) => ({
          hook,
          secret,
          certain,
          discovery: discoverScheme(deliveries, secret, options),
        }));
      // Usual schemes under each secret before unusual ones under a secret that may be the wrong one.
      const usual = search({ lastResort: false });
      const found = usual.some(({ discovery }) => discovery.kind === 'verified') ? usual : search({ otherSecrets });
      return found.sort((a, b) => telling.indexOf(a.discovery.kind) - telling.indexOf(b.discovery.kind)).slice(0, 1);
    });
  });

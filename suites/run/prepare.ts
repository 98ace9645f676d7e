import { randomBytes, randomInt } from 'node:crypto';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { ApiName } from '../../contract/clause.ts';
import { type Observed, parseProfile } from '../../results/drift.ts';
import { parseWaivers, type Waiver } from '../../results/waivers.ts';
import { parseBodies, type UserBodies } from '../../settings/bodies-file.ts';
import { readJsonFile } from '../../settings/json-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Target, targetsOf } from '../../settings/target.ts';
import type { Transport } from '../session/transport/transport.ts';
import { type Selection, select } from './selection.ts';

/** Everything about a run that is read and validated before anything is sent. */
export interface Preparation {
  readonly settings: Settings;
  readonly targets: readonly Target[];
  /** Whether the run brings its own deployment. */
  readonly embedded: boolean;
  readonly selection: Selection;
  readonly userBodies: UserBodies;
  readonly waivers: readonly Waiver[];
  readonly profile: Observed | null;
  readonly seed: number;
  /** A word that whatever the run creates holds. */
  readonly tag: string;
  readonly clock: Clock;
  /** Wraps the transport to the deployment: the embedded one's clock has to know of calls that are under way. */
  wrap(transport: Transport): Transport;
  /** Ends the embedded deployment. */
  release(): Promise<void>;
}

/** The clauses that the command line chose. */
export interface ChosenClauses {
  /** A regular expression for the beginning of their ids; null: all. */
  readonly pattern: string | null;
  /** Parts of the names of the APIs' files. */
  readonly filters: readonly string[];
}

/** A deployment that is served, and the settings that point at it. */
export interface OpenDeployment {
  readonly settings: Settings;
  readonly clock: Clock;
  wrap(transport: Transport): Transport;
  close(): Promise<void>;
}

/** Starts a deployment for the run. The user's settings stay, except for those of a target. */
export type OpenEmbedded = (given: Settings) => Promise<OpenDeployment>;

/** Reads the files that settings name, and starts a deployment where no target is set. Throws CannotRun. */
export async function prepare(
  { pattern, filters }: ChosenClauses,
  given: Settings,
  openEmbedded: OpenEmbedded,
): Promise<Preparation> {
  const userBodies = given.BODIES === undefined ? {} : readJsonFile('BODIES', given.BODIES, parseBodies);
  const waivers = given.WAIVERS === undefined ? [] : readJsonFile('WAIVERS', given.WAIVERS, parseWaivers);
  const profile = given.PROFILE === undefined ? null : readJsonFile('PROFILE', given.PROFILE, parseProfile);
  const named = targetsOf(given);
  const embedded = named.length === 0;
  const apis: readonly ApiName[] = embedded ? ['developer', 'workspace'] : named.map(({ api }) => api);
  const selection = select(pattern, filters, apis);
  const { settings, close, clock, wrap } = embedded ? await openEmbedded(given) : usersDeployment(given);
  return {
    settings,
    targets: targetsOf(settings),
    embedded,
    selection,
    userBodies,
    waivers,
    profile,
    clock,
    wrap,
    seed: settings.SEED ?? randomInt(2 ** 31),
    tag: `conformance-${randomBytes(4).toString('hex')}`,
    release: close,
  };
}

/** The deployment that the user's settings point at. */
const usersDeployment = (settings: Settings): OpenDeployment => ({
  settings,
  clock: systemClock,
  wrap: (transport) => transport,
  close: () => Promise.resolve(),
});

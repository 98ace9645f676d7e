import { randomBytes, randomInt } from 'node:crypto';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Api } from '../../contract/clause.ts';
import { type Observed, parseProfile } from '../../results/drift.ts';
import { parseWaivers, type Waiver } from '../../results/waivers.ts';
import { parseBodies, type UserBodies } from '../../settings/bodies-file.ts';
import { readJsonFile } from '../../settings/json-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Target, targetsOf } from '../../settings/target.ts';
import type { Transport } from '../session/transport/transport.ts';
import { type Selection, select } from './selection.ts';

/** Everything about a run that is decided, and validated, before anything is sent. */
export interface Preparation {
  readonly settings: Settings;
  readonly targets: readonly Target[];
  /** The run brings its own deployment. */
  readonly embedded: boolean;
  readonly selection: Selection;
  readonly userBodies: UserBodies;
  readonly waivers: readonly Waiver[];
  readonly profile: Observed | null;
  readonly seed: number;
  /** Stands in whatever the run creates. */
  readonly tag: string;
  readonly clock: Clock;
  /** What the embedded deployment puts around the way to it. */
  around(transport: Transport): Transport;
  /** Ends the embedded deployment. */
  release(): Promise<void>;
}

/** What the command line chose. */
export interface Choice {
  /** The beginning of clause ids, a regular expression; null: all. */
  readonly pattern: string | null;
  /** Parts of the names of the APIs' files. */
  readonly filters: readonly string[];
}

/** A deployment that the run brings along, and the settings that point at it. */
export interface Embedded {
  readonly settings: Settings;
  readonly clock: Clock;
  around(transport: Transport): Transport;
  close(): Promise<void>;
}

/** Starts a deployment for the run; what the user's settings say of everything but a target stays. */
export type OpenEmbedded = (given: Settings) => Promise<Embedded>;

/** Reads the files that settings name, and starts a deployment where no target is set. Throws CannotRun. */
export async function prepare(
  { pattern, filters }: Choice,
  given: Settings,
  openEmbedded: OpenEmbedded,
): Promise<Preparation> {
  const userBodies = given.BODIES === undefined ? {} : readJsonFile('BODIES', given.BODIES, parseBodies);
  const waivers = given.WAIVERS === undefined ? [] : readJsonFile('WAIVERS', given.WAIVERS, parseWaivers);
  const profile = given.PROFILE === undefined ? null : readJsonFile('PROFILE', given.PROFILE, parseProfile);
  const named = targetsOf(given);
  const embedded = named.length === 0;
  const apis: readonly Api[] = embedded ? ['developer', 'workspace'] : named.map(({ api }) => api);
  const selection = select(pattern, filters, apis);
  const { settings, close, clock, around } = embedded ? await openEmbedded(given) : elsewhere(given);
  return {
    settings,
    targets: targetsOf(settings),
    embedded,
    selection,
    userBodies,
    waivers,
    profile,
    clock,
    around,
    seed: settings.SEED ?? randomInt(2 ** 31),
    tag: `conformance-${randomBytes(4).toString('hex')}`,
    release: close,
  };
}

/** A deployment that was there before the run, on the clock on the wall. */
const elsewhere = (settings: Settings): Embedded => ({
  settings,
  clock: systemClock,
  around: (transport) => transport,
  close: () => Promise.resolve(),
});

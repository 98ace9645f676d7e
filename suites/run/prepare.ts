import { randomBytes, randomInt } from 'node:crypto';
import { type Clock, systemClock } from '../../common/clock.ts';
import { type BodiesFile, parseBodies } from '../../settings/bodies-file.ts';
import { readJsonFile } from '../../settings/json-file.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Shapes } from '../../settings/shapes.ts';
import { targetsOf } from '../../settings/target.ts';
import type { Transport } from '../session/transport/transport.ts';
import { readDocuments } from './openapi.ts';

/** Everything about a run that is read and validated before anything is sent. */
export type Preparation = Awaited<ReturnType<typeof prepare>>;

/** A deployment that is served, and the settings that point at it. */
export interface OpenDeployment {
  readonly settings: Settings;
  readonly clock: Clock;
  wrap(transport: Transport): Transport;
  close(): Promise<void>;
}

/** Starts a deployment for the run. The user's settings stay, except for those of a target. */
export type OpenEmbedded = (given: Settings) => Promise<OpenDeployment>;

const nothingTold: BodiesFile = { bodies: {}, shapes: {} };

/** What a document says of places, and what the user says, which is believed first. */
const merged = (documented: Shapes, users: Shapes): Shapes =>
  Object.fromEntries(
    [...Object.keys(documented), ...Object.keys(users)].map((name) => [name, { ...documented[name], ...users[name] }]),
  );

/** Reads the files that settings name, and starts a deployment where no target is set. Throws CannotRun. */
export async function prepare(given: Settings, openEmbedded: OpenEmbedded) {
  const told = given.BODIES === undefined ? nothingTold : readJsonFile('BODIES', given.BODIES, parseBodies);
  const documents = given.OPENAPI === undefined ? nothingTold : await readDocuments(given.OPENAPI);
  const embedded = targetsOf(given).length === 0;
  const { settings, close, clock, wrap } = embedded ? await openEmbedded(given) : usersDeployment(given);
  return {
    settings,
    targets: targetsOf(settings),
    /** Whether the run brings its own deployment. */
    embedded,
    userBodies: told.bodies,
    /** Bodies by the deployment's own OpenAPI documents. */
    documentBodies: documents.bodies,
    shapes: merged(documents.shapes, told.shapes),
    clock,
    /** Wraps the transport to the deployment: the embedded one's clock has to know of calls that are under way. */
    wrap,
    seed: settings.SEED ?? randomInt(2 ** 31),
    /** A word that whatever the run creates holds. */
    tag: `conformance-${randomBytes(4).toString('hex')}`,
    /** Ends the embedded deployment. */
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

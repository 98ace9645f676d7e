import { randomBytes, randomInt } from 'node:crypto';
import { type Clock, systemClock } from '../../common/clock.ts';
import { readJsonFile } from '../../common/json-file.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import type { Shapes } from '../../settings/bodies-file.ts';
import { type BodiesFile, parseBodies } from '../../settings/bodies-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { openInbox } from '../../webhooks/inbox/server.ts';
import type { Suite } from '../engine/check.ts';
import { type OnResult, runClauses } from '../engine/engine.ts';
import type { Cleaned } from '../records/clean-up.ts';
import { cleanUpAll } from '../records/sweep.ts';
import { openSession } from '../session/open-session.ts';
import type { SessionParts } from '../session/session.ts';
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

/** The deployment that settings point at. */
export const usersDeployment = (settings: Settings): OpenDeployment => ({
  settings,
  clock: systemClock,
  wrap: (transport) => transport,
  close: () => Promise.resolve(),
});

/** A suite whose session is open. */
export type OpenSuite = Awaited<ReturnType<typeof openSuite>>;

/**
 * Opens the session of a suite, and, unless `parts` has one, the webhook receiver that the settings ask for. Sends
 * nothing. Throws CannotRun where the receiver cannot be bound.
 */
export async function openSuite({ api, ...suite }: Suite, parts: SessionParts) {
  const { settings, origin, clock } = parts;
  const inbox = parts.inbox ?? (api.webhooks !== null ? await openInbox(settings, origin, clock) : undefined);
  const session = openSession(api, inbox === undefined ? parts : { ...parts, inbox });
  return {
    session,
    /** Judges the session's clauses. Gives a result for each, and passes it on as soon as it is final. */
    run: (onResult?: OnResult): Promise<ClauseResult[]> => runClauses({ api, ...suite }, session, onResult),
    /** Deletes what the run made, and ends its webhook receiver. Gives what became of each record, latest first. */
    async close(): Promise<Cleaned[]> {
      const cleaned = await cleanUpAll(session);
      if (session.inbox.kind === 'inbox') {
        await session.inbox.close();
      }
      return cleaned;
    },
  };
}

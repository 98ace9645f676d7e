import { CannotRun } from '../../common/cannot-run.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { urlSettings } from '../../settings/target.ts';
import { openInbox } from '../../webhooks/inbox/server.ts';
import type { Suite } from '../engine/check.ts';
import { type OnResult, runClauses } from '../engine/engine.ts';
import type { Cleaned } from '../records/clean-up.ts';
import { cleanUpAll } from '../records/sweep.ts';
import { mainKeys, mainSetting, meaningOf } from '../session/keys.ts';
import { openSession, type SessionParts } from '../session/open-session.ts';

/** A suite whose session is open. */
export type OpenSuite = Awaited<ReturnType<typeof openSuite>>;

/**
 * Opens the session of a suite, and, unless `parts` has one, the webhook receiver that the settings ask for. Sends
 * nothing. Throws CannotRun where no key is set, or the receiver cannot be bound.
 */
export async function openSuite({ api, ...suite }: Suite, parts: SessionParts) {
  const { settings, origin, clock } = parts;
  if (mainKeys({ api, settings }).length === 0) {
    const setting = mainSetting({ api });
    throw new CannotRun(`Cannot check ${urlSettings[api.name]} without a key: set ${setting} to ${meaningOf(setting)}`);
  }
  const inbox = parts.inbox ?? (api.sendsEvents ? await openInbox(settings, origin, clock) : undefined);
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

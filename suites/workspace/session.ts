import { planLimits } from '../../contract/limits.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { CannotRun, Skipped } from '../../results/stop.ts';
import type { Inbox, NoInbox } from '../../webhooks/inbox/inbox.ts';
import { openInbox } from '../../webhooks/inbox/server.ts';
import type { ApiKey } from '../session/key.ts';
import { type OpenSession, openSession, type SessionParts } from '../session/open-session.ts';
import type { Hook } from './hooks.ts';

/** What a session with the workspace API is opened with. */
export interface WorkspaceParts extends Omit<SessionParts, 'api' | 'limitOf'> {
  /** Default: the receiver that the settings ask for. */
  readonly inbox?: Inbox | NoInbox;
}

/** A session with the workspace API. */
export interface WorkspaceSession extends OpenSession {
  /** WORKSPACE_API_KEY: full permission. */
  readonly key: ApiKey;
  readonly inbox: Inbox | NoInbox;
  /** Epoch milliseconds of its opening. */
  readonly began: number;
  /** The words and number that tell the next record of the run from all others. */
  nextRecord(): { readonly tag: string; readonly number: number };
  /** The registration of webhooks that events are looked for at, once it has begun. */
  listening: Promise<unknown> | null;
  /** Every webhook that the run registered, or tried to. */
  readonly hooks: Hook[];
  /** Everything that the run made; an id is null where nothing shows it. */
  readonly made: { readonly kind: Kind; readonly id: string | null; readonly tag: string }[];
}

/**
 * Opens a session, and the webhook receiver where none is given; sends nothing. Throws CannotRun where the key is missing
 * or the receiver cannot be bound.
 */
export async function openWorkspaceSession(parts: WorkspaceParts): Promise<WorkspaceSession> {
  const { settings, clock } = parts;
  const secret = settings.WORKSPACE_API_KEY;
  if (secret === undefined) {
    throw new CannotRun(
      'Cannot check WORKSPACE_API_URL without a key: set WORKSPACE_API_KEY to a workspace key with full permission',
    );
  }
  const inbox = parts.inbox ?? (await openInbox(settings, parts.origin, clock));
  // Calls without a valid key are nobody's budget; the plan's pace is polite to whoever counts them all the same.
  const session = openSession({
    ...parts,
    api: 'workspace',
    limitOf: () => planLimits[settings.WORKSPACE_PLAN].perMinute,
  });
  let records = 0;
  return {
    ...session,
    key: { secret, label: 'WORKSPACE_API_KEY', environment: 'workspace', origin: 'given' },
    inbox,
    began: clock.now(),
    nextRecord() {
      records += 1;
      return { tag: `${session.tag}-${String(records).padStart(2, '0')}`, number: records };
    },
    listening: null,
    hooks: [],
    made: [],
  };
}

type KeySetting = 'WORKSPACE_SECOND_API_KEY' | 'WORKSPACE_LIMITED_API_KEY' | 'WORKSPACE_REVOKED_API_KEY';

/** The key of a setting. Throws Skipped, which names the setting, where it is not set. */
export function requireKey(session: WorkspaceSession, setting: KeySetting): ApiKey {
  const secret = session.settings[setting];
  if (secret === undefined) {
    throw new Skipped(`${setting} is not set: set it to ${wanted[setting]} to judge this clause`, { setting });
  }
  // A revoked key is one that the deployment knows no more.
  return {
    secret,
    label: setting,
    environment: 'workspace',
    origin: setting === 'WORKSPACE_REVOKED_API_KEY' ? 'unknown' : 'given',
  };
}

const wanted: Readonly<Record<KeySetting, string>> = {
  WORKSPACE_SECOND_API_KEY: 'a second key of the same workspace',
  WORKSPACE_LIMITED_API_KEY: 'a key whose user lacks permission for some calls',
  WORKSPACE_REVOKED_API_KEY: 'a key that was revoked',
};

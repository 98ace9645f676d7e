import { minuteMs } from '../../contract/limits.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import { cameOf } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { Entry } from '../session/ledger.ts';
import { deleting } from './endpoints.ts';
import { idByTag, succeeded } from './records.ts';
import { secretsIn } from './secrets.ts';
import type { WorkspaceSession } from './session.ts';

/**
 * Deletes what the run made and has not deleted; then ends the receiver. What could not be deleted stands in the session's
 * notes, and so do leads, which the API cannot delete.
 */
export async function closeWorkspace(session: WorkspaceSession): Promise<void> {
  const left = await deleteEntries(session, session.ledger.open());
  session.notes.push(...left.map((line) => `${line}; npm run cleanup tries again`));
  const leads = session.made.filter(({ kind }) => kind === 'leads').map(({ id, tag }) => id ?? `"${tag}"`);
  if (leads.length > 0) {
    session.notes.push(
      `Left behind: ${leads.length} lead(s), which the API cannot delete: ${leads.slice(0, 20).join(', ')}${leads.length > 20 ? ', …' : ''}`,
    );
  }
  if (session.inbox.kind === 'inbox') {
    await session.inbox.close();
  }
}

/** Deletes these things, webhooks first, so that nothing is sent any more; gives a line on each that is left. */
export async function deleteEntries(session: WorkspaceSession, entries: readonly Entry[]): Promise<string[]> {
  const own = entries.filter(({ api, origin }) => api === 'workspace' && origin === session.origin);
  const isHook = ({ collection }: Entry): boolean => collection === '/v1/webhooks';
  const hooks = await Promise.all(own.filter(isHook).map((entry) => deleteEntry(session, entry)));
  const others = await Promise.all(own.filter((entry) => !isHook(entry)).map((entry) => deleteEntry(session, entry)));
  return [...hooks, ...others].filter((line) => line !== null);
}

async function deleteEntry(session: WorkspaceSession, entry: Entry): Promise<string | null> {
  const kind = entry.collection.split('/').at(-1) as Exclude<Kind, 'leads'>;
  try {
    const id = entry.id ?? (await idByTag(session, kind, entry.tag));
    // A create that was never answered, and whose words no record holds: nothing was made.
    if (id === undefined) {
      return gone(session, entry);
    }
    const answer = await session.client.send(callOf(deleting(kind), session.key, { id, deletes: true, secretsIn }));
    if (isGone(answer)) {
      return gone(session, entry);
    }
    const limited = answer.status === 403 || answer.status >= 500 || answer.status === 0;
    if (limited && (await deletedAtLast(session, { ...entry, id }))) {
      return null;
    }
    return `Left behind: ${entry.collection}/${id} (DELETE gets ${cameOf(answer)})`;
  } catch (error) {
    if (error instanceof Inconclusive && (await deletedAtLast(session, entry))) {
      return null;
    }
    if (error instanceof Skipped || error instanceof Inconclusive) {
      return `Left behind: ${entry.collection}/${entry.id ?? `"${entry.tag}"`} (${error.message})`;
    }
    throw error;
  }
}

/** Once more after two quiet windows, whatever the budget says: a limiter may lock out, and refuse with another status than 429. */
async function deletedAtLast(session: WorkspaceSession, entry: Entry): Promise<boolean> {
  if (entry.id === undefined) {
    return false;
  }
  await session.clock.sleep((2 * minuteMs) / session.settings.CLOCK_SPEED);
  const kind = entry.collection.split('/').at(-1) as Exclude<Kind, 'leads'>;
  const answer = await session.client.once(
    callOf(deleting(kind), session.key, { id: entry.id, deletes: true, secretsIn }),
  );
  if (isGone(answer)) {
    session.ledger.gone(entry);
  }
  return isGone(answer);
}

/** Deleted now, or before: the answer to an earlier attempt may have been lost. */
const isGone = (answer: Answer): boolean => succeeded(answer) || answer.status === 404;

function gone(session: WorkspaceSession, entry: Entry): null {
  session.ledger.gone(entry);
  return null;
}

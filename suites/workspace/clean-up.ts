import { callOf } from '../kit/call.ts';
import { cameOf } from '../kit/expect.ts';
import type { Entry } from '../kit/ledger.ts';
import { Inconclusive, Skipped } from '../kit/stop.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { deleting } from './endpoints.ts';
import { idByTag, succeeded } from './records.ts';
import { secretsIn } from './secrets.ts';
import type { WorkspaceSession } from './session.ts';

/**
 * Deletes what the run made and has not deleted, webhooks first, so that nothing is sent any more; then ends the receiver.
 * What could not be deleted stands in the session's notes, and so do leads, which the API cannot delete.
 */
export async function closeWorkspace(session: WorkspaceSession): Promise<void> {
  const open = session.ledger.open().filter(({ api, origin }) => api === 'workspace' && origin === session.origin);
  const isHook = ({ collection }: Entry): boolean => collection === '/v1/webhooks';
  await Promise.all(open.filter(isHook).map((entry) => deleteEntry(session, entry)));
  await Promise.all(open.filter((entry) => !isHook(entry)).map((entry) => deleteEntry(session, entry)));
  const leads = session.made.filter(({ kind }) => kind === 'leads').map(({ id, tag }) => id ?? `"${tag}"`);
  if (leads.length > 0) session.notes.push(`Left behind: ${leads.length} lead(s), which the API cannot delete: ${leads.slice(0, 20).join(', ')}${leads.length > 20 ? ', …' : ''}`);
  if (session.inbox.kind === 'inbox') await session.inbox.close();
}

async function deleteEntry(session: WorkspaceSession, entry: Entry): Promise<void> {
  const kind = entry.collection.split('/').at(-1) as Exclude<Kind, 'leads'>;
  try {
    const id = entry.id ?? await idByTag(session, kind, entry.tag);
    if (id === undefined) return lost(session, entry);
    const answer = await session.client.send(callOf(deleting(kind), session.key, { id, deletes: true, secretsIn }));
    if (succeeded(answer) || answer.status === 404) session.ledger.gone(entry);
    else session.notes.push(`Left behind: ${entry.collection}/${id} (DELETE gets ${cameOf(answer)}); npm run cleanup tries again`);
  } catch (error) {
    if (!(error instanceof Skipped || error instanceof Inconclusive)) throw error;
    session.notes.push(`Left behind: ${entry.collection}/${entry.id ?? `"${entry.tag}"`} (${error.message}); npm run cleanup tries again`);
  }
}

/** A create that was never answered, and whose words no record holds: nothing was made. */
function lost(session: WorkspaceSession, entry: Entry): void {
  session.ledger.gone(entry);
}

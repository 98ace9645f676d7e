import type { ApiKey } from '../kit/key.ts';
import type { Entry } from '../kit/ledger.ts';
import type { Session } from '../kit/session.ts';
import { callOf } from '../kit/call.ts';
import { pagesOf } from '../kit/pages.ts';
import { at, findId, findLists, walk } from '../kit/search.ts';
import { endpoint, givenKey, mainKey } from './calls.ts';
import { deleteOwn } from './own-keys.ts';

/** Deletes every key that the run made, in reverse order. Never throws: what stays is named in the session's notes. */
export async function cleanUp(session: Session): Promise<void> {
  await Promise.all(session.ledger.open().map(async (entry) => {
    try {
      await removeKey(session, entry);
    } catch (error) {
      session.notes.push(`Key ${entry.id ?? entry.tag} is left behind: ${error instanceof Error ? error.message : String(error)}. npm run cleanup deletes it`);
    }
  }));
}

async function removeKey(session: Session, entry: Entry): Promise<void> {
  const key = makerOf(session, entry);
  const id = entry.id ?? await idByTag(session, key, entry.tag);
  if (id === undefined) {
    session.ledger.gone(entry);
    return;
  }
  const answer = await deleteOwn(session, entry, id, key);
  if (session.ledger.open().some(({ number }) => number === entry.number)) throw new Error(`DELETE got ${answer.status}`);
}

/** A key is deleted with the key that made it, or the main one. */
function makerOf(session: Session, entry: Entry): ApiKey {
  const setting = (['SANDBOX_API_KEY', 'LIVE_API_KEY'] as const).find((name) => name === entry.keySetting);
  return (setting && givenKey(session, setting)) ?? mainKey(session);
}

/** The id of a key whose creation was never answered, by its name. undefined: there is none. */
async function idByTag(session: Session, key: ApiKey, tag: string): Promise<string | undefined> {
  const call = callOf(endpoint('GET /api/v1/developer/keys'), key);
  for await (const { answer } of pagesOf(session, call, await session.client.send(call))) {
    const rows = findLists(at(answer.json, '/data')).flatMap((list) => list.rows);
    const row = rows.find((candidate) => walk(candidate).some(({ value }) => value === tag));
    if (row) return findId(row, 'key')?.id;
  }
  return undefined;
}

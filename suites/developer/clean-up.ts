import { at, findId, findLists, walk } from '../../common/json.ts';
import { accepted } from '../engine/expect.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger.ts';
import { pagesOf } from '../session/pages.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey, requireKey } from './calls.ts';
import { deleteOwn } from './own-keys.ts';

/** Deletes every key that the run made, in reverse order. Never throws: what stays is named in the session's notes. */
export async function cleanUp(session: Session): Promise<void> {
  // One after the other: a deletion moves the rows on the pages in which another key may just be looked for.
  for (const entry of session.ledger.open()) {
    try {
      await removeKey(session, entry);
    } catch (error) {
      session.notes.push(
        `Key ${entry.id ?? entry.tag} is left behind: ${error instanceof Error ? error.message : String(error)}. npm run cleanup deletes it`,
      );
    }
  }
}

async function removeKey(session: Session, entry: Entry): Promise<void> {
  // What a live key made only a live key may see.
  const key = entry.keySetting === 'LIVE_API_KEY' ? requireKey(session, 'LIVE_API_KEY') : mainKey(session);
  const id = entry.id ?? (await idByTag(session, key, entry.tag));
  if (id === undefined) {
    return session.ledger.gone(entry);
  }
  const answer = await deleteOwn(session, entry, id, key);
  if (session.ledger.open().some(({ number }) => number === entry.number)) {
    throw new Error(`DELETE got ${answer.status}`);
  }
}

/** The id of a key whose creation was never answered, by its name. undefined: there is none. Throws where not all of the list can be read. */
async function idByTag(session: Session, key: ApiKey, tag: string): Promise<string | undefined> {
  const call = callOf(endpoint('GET /api/v1/developer/keys'), key);
  for await (const { answer, complete } of pagesOf(session, call, await session.client.send(call))) {
    const rows = findLists(at(answer.json, '/data')).flatMap((list) => list.rows);
    const id = rows
      .filter((row) => walk(row).some(({ value }) => value === tag))
      .map((row) => findId(row, 'key')?.id)[0];
    if (id !== undefined) {
      return id;
    }
    if (accepted(answer) && complete) {
      return undefined;
    }
  }
  throw new Error('it may have been made, and the list of keys cannot be read to its end');
}

import { findId, findLists, walk } from '../../common/json.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import { accepted, cameOf } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger.ts';
import { pagesOf } from '../session/pages.ts';
import type { Session } from '../session/session.ts';

/** What became of a thing that an earlier run left. */
export interface Fate {
  /** `deleted`, or not there (any more); `left`: still there, or nobody knows. */
  readonly end: 'deleted' | 'gone' | 'left';
  /** Of what was left: why, and what to do. */
  readonly why: string;
}

const endpoints = new Map([...developerEndpoints, ...workspaceEndpoints].map((endpoint) => [endpoint.id, endpoint]));

/**
 * Deletes one thing of a ledger, with the key of the setting it was made with. A thing whose id was never learnt is
 * looked up by the words that its run put into it.
 */
export async function removeLeftOver(session: Session, entry: Entry, key: ApiKey): Promise<Fate> {
  const remove = endpoints.get(`DELETE ${entry.collection}/:id`);
  if (!remove) {
    return { end: 'left', why: 'the API cannot delete it' };
  }
  try {
    const id = entry.id ?? (await findByTag(session, entry, key));
    if (id === null) {
      return { end: 'gone', why: 'no record with its words exists' };
    }
    return await removeById(session, remove, id, key);
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) {
      return { end: 'left', why: error.message };
    }
    throw error;
  }
}

async function removeById(session: Session, remove: Endpoint, id: string, key: ApiKey): Promise<Fate> {
  const answer = await session.client.send(callOf(remove, key, { id, deletes: true, unsettled: () => false }));
  if (answer.status >= 200 && answer.status < 300) {
    return { end: 'deleted', why: '' };
  }
  if (answer.status === 404 || answer.status === 410) {
    return { end: 'gone', why: `DELETE gets ${answer.status}` };
  }
  return { end: 'left', why: `DELETE gets ${cameOf(answer)}` };
}

/** null: no record holds the words. Throws Inconclusive where that cannot be told. */
async function findByTag(session: Session, entry: Entry, key: ApiKey): Promise<string | null> {
  const list = endpoints.get(`GET ${entry.collection}`);
  if (!list) {
    throw unknown('its id is not known, and the API has no list of such records');
  }
  const call = callOf(list, key);
  const first = await session.client.send(call);
  if (!accepted(first)) {
    throw unknown(`its id is not known, and the list gets ${cameOf(first)}`);
  }
  let complete = false;
  for await (const page of pagesOf(session, call, first)) {
    const id = idIn(page.answer, entry);
    if (id !== null) {
      return id;
    }
    complete = page.complete;
  }
  if (!complete) {
    throw unknown('its id is not known, and the list goes on beyond what was read');
  }
  return null;
}

const unknown = (message: string): Inconclusive => new Inconclusive({ message });

/** The id of the only record that holds exactly the entry's words, or else of the only one that holds them somewhere. */
function idIn(answer: Answer, { collection, tag }: Entry): string | null {
  const rows = findLists(answer.json).flatMap((list) => list.rows);
  const holding = (fits: (value: string) => boolean): unknown[] =>
    rows.filter((row) => walk(row).some(({ value }) => typeof value === 'string' && fits(value)));
  const exact = holding((value) => value === tag);
  const found = exact.length > 0 ? exact : holding((value) => value.includes(tag));
  if (found.length === 0) {
    return null;
  }
  const noun = collection.split('/').at(-1)?.replace(/s$/, '') ?? '';
  const id = found.length === 1 ? findId(found[0], noun)?.id : undefined;
  if (id === undefined) {
    throw unknown(`its id is not known, and ${found.length} records of the list hold "${tag}"`);
  }
  return id;
}

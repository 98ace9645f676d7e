import { scalarText, walk } from '../../../common/json.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { showsId } from '../../session/reading/id-places.ts';
import { rawRows } from '../../session/reading/rows.ts';
import { idsOf, shownIds } from '../../session/reading/shown-ids.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { firstView, read } from '../reads.ts';
import type { KnownRecord } from './new-record.ts';

/** Most ids under which a listed record is read. */
const mostRead = 5;

/**
 * A record of another kind that a list shows, whoever made it, and that can be read by one of its ids. It is never
 * changed. null: there is none.
 */
export async function listedConfirmedRecord(
  session: Session,
  collection: string,
  key: ApiKey,
): Promise<KnownRecord | null> {
  const views = session.api.endpoints.filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/:id') && path !== `${collection}/:id`,
  );
  for (const { id: endpoint, path } of views) {
    const other = path.slice(0, -'/:id'.length);
    const record = await resultOrNull(readListed(session, { collection: other, endpoint, key }));
    if (record !== null) {
      return record;
    }
  }
  return null;
}

async function readListed(
  session: Session,
  { collection, endpoint, key }: { readonly collection: string; readonly endpoint: string; readonly key: ApiKey },
): Promise<KnownRecord | null> {
  const noun = nounOf(collection);
  const [row = {}, ...others] = rawRows(await read(session, `GET ${collection}`, { key }), noun);
  const texts = textsOf(row);
  const ofOthers = new Set(others.flatMap((one) => [...textsOf(one)]));
  const ids = [...idsOf(row, noun), ...shownIds(row, noun, session.tag).map(({ id }) => id)];
  for (const id of [...new Set(ids)].slice(0, mostRead)) {
    const view = await firstView(session, endpoint, id, key);
    const shown = view.unredacted(({ payload }) => textsOf(payload));
    const isIt = [...shown].some((text) => text !== id && texts.has(text) && !ofOthers.has(text));
    if (view.accepted && isIt) {
      return { collection, id, answer: view, ...(showsInField(view, id) ? {} : { row }) };
    }
  }
  return null;
}

/** Whether an answer shows an id, and not as all that it says. */
export const showsInField = (answer: Answer, id: string): boolean =>
  answer.unredacted(({ payload }) => typeof payload === 'object' && showsId(payload, id));

const textsOf = (json: unknown): ReadonlySet<string> =>
  new Set(walk(json).flatMap(({ value }) => scalarText(value) ?? []));

import { isScalar, type JsonObject, parentOf, placeOfId, walk } from '../../../../common/json.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey, Places } from '../../../session/key.ts';
import { holdsId, showsId } from '../../../session/reading/id-places.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { provenIdsOfRow, type WordedRow } from '../../../shared/ids/row-ids.ts';
import { readUntil } from '../../../shared/lists/list-search.ts';
import { pagesIn } from '../../../shared/lists/looks.ts';
import { keyIdIn, keysPath, type OwnKey, secretIn } from '../keys/own-key.ts';

/** The usage of a key since its rotation, without days. */
export const usageSince = stepFor(
  (id: string, _: ApiKey) => id,
  (session, id, key): Promise<Answer> => send(session, `GET ${keysPath}/:id/usage`, { id, key }),
);

/**
 * The id of the record that has a rotated key's new secret; undefined: the one that it had. A rotation that shows the secret and no id
 * may have made another record: the key list tells, by the name that rotation keeps. null: nothing tells.
 */
export async function rotatedId(
  session: Session,
  before: OwnKey,
  answer: Answer,
  maker: ApiKey,
): Promise<string | undefined | null> {
  const secret = answer.accepted ? secretIn(answer, before.key.secret) : undefined;
  if (secret === undefined) {
    return undefined;
  }
  const told = keyIdIn(session, answer, secret.pointer, placesOf(before));
  // A path ends with the id, unless that is a path itself.
  const shown = before.id.includes('/') ? told : told?.split('/').at(-1);
  // It may show the record that was, beside the new one.
  const isOther = shown !== undefined && shown !== before.id;
  // What looks like another id may be none that paths take.
  if (isOther && (await isKnown(session, shown, maker))) {
    return shown;
  }
  const isGone = (await usageSince(session, before.id, maker)).status === 404;
  if (!isGone && !showsApart(session, answer, before.id, secret.pointer)) {
    return before.id;
  }
  const listed = await resultOrNull(listedId(session, before, maker));
  return listed ?? (isGone ? (shown ?? null) : before.id);
}

/** Where the answer to a key's creation shows its id: in a path that ends with it, where it does not stand by itself. */
function placesOf({ id, record, places }: OwnKey): Places {
  const inPath = (json: unknown): string | undefined => walk(json).find(({ value }) => holdsId(value, id))?.pointer;
  return { ...places, id: places.id ?? record.answer.unredacted(({ json }) => inPath(json)) };
}

/** Whether a rotation shows the record that was in an object of its own, beside the one with the new secret: `{"previous": {…}, "current": {…}}`. */
const showsApart = ({ api }: Session, answer: Answer, id: string, secretPlace: string): boolean => {
  const place = answer.unredacted(({ json }) => placeOfId(json, id));
  const around = place === undefined ? '' : parentOf(place);
  return place !== undefined && around !== api.payload && !secretPlace.startsWith(`${around}/`);
};

/** Whether the usage call takes the id. A new record may take KEY_SETTLE_MS to be found. */
async function isKnown(session: Session, id: string, key: ApiKey): Promise<boolean> {
  const look = (attempt: number): Promise<Answer> =>
    attempt === 0 ? usageSince(session, id, key) : send(session, `GET ${keysPath}/:id/usage`, { id, key });
  return (await readUntil(session, look, ({ status }) => status !== 404)).status !== 404;
}

/** The id of the only other row of the list that has the key's name; a row that shows the known id is the key's own. */
async function listedId(session: Session, before: OwnKey, maker: ApiKey): Promise<string | undefined> {
  const { id, record, places } = before;
  const field = places.id?.split('/').at(-1) ?? 'id';
  const { tag } = record;
  const showsIt = (row: JsonObject): boolean => showsId(row, id);
  const otherRows = (rows: readonly JsonObject[]): WordedRow[] =>
    rows
      .filter((row) => mentions(row, tag) && !showsIt(row))
      .map((row) => ({ collection: keysPath, row, tag, others: rows.filter((one) => one !== row), isComplete: false }));
  const look = async (): Promise<readonly WordedRow[]> => {
    const pages = await pagesIn(session, `GET ${keysPath}`, { key: maker });
    return pages.flatMap((page) => page.unredacted(({ payload }) => otherRows(rowsIn(payload, 'key') ?? [])));
  };
  const rows = await readUntil(session, look, ({ length }) => length > 0);
  const ids = await Promise.all(
    rows.map(async (one) => textAt(one.row, field) ?? (await provenIdsOfRow(session, one, maker))[0]),
  );
  // A page that is asked for in vain shows the same rows again.
  const [other, ...more] = new Set(ids);
  return more.length > 0 ? undefined : other;
}

/** What stands in the field of that name, however deep. */
const textAt = (row: JsonObject, field: string): string | undefined =>
  walk(row).flatMap(({ name, value }) => (name === field && isScalar(value) ? [String(value)] : []))[0];

import { isScalar, type JsonObject, parentOf, placeOfId, walk } from '../../../../common/json.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey, KeyPlaces } from '../../../session/key.ts';
import { holdsId, showsId } from '../../../session/reading/id-places.ts';
import { rowsIn } from '../../../session/reading/rows.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { hidesWords } from '../../../shared/clean-up/hidden-words.ts';
import { textsIn, textsWithWords } from '../../../shared/ids/own-row.ts';
import { provenIdsOfRow, type WordedRow } from '../../../shared/ids/row-ids.ts';
import { isTellingHintOf } from '../../../shared/ids/secrets.ts';
import { readPages } from '../../../shared/lists/list-reading.ts';
import { readUntil } from '../../../shared/lists/list-search.ts';
import { keyIdIn, keysPath, type RunKey, secretIn } from '../keys/run-key.ts';

/** The usage of a key after its rotation, without days. */
export const usageAfterRotation = stepFor(
  (id: string, _: ApiKey) => id,
  (session, id, key): Promise<Answer> => send(session, `GET ${keysPath}/:id/usage`, { id, key }),
);

/**
 * The id of the record that has the new secret after a rotation; null: nothing shows it. Where the rotation failed or
 * shows no secret, it is the former id. A rotation may make another record and show only its secret: then the key list
 * shows the id, in the row with the key's name, which rotation keeps.
 */
export async function rotatedId(
  session: Session,
  before: RunKey,
  answer: Answer,
  maker: ApiKey,
): Promise<string | null> {
  const secret = answer.accepted ? secretIn(answer, before.key.secret) : undefined;
  if (secret === undefined) {
    return before.id;
  }
  const placed = keyIdIn(session, answer, secret.pointer, placesOf(before));
  // A path ends with the id, unless ids are paths themselves.
  const shown = before.id.includes('/') ? placed : placed?.split('/').at(-1);
  // What looks like a new id may be something else: the usage call has to take it.
  if (shown !== undefined && shown !== before.id && (await takesId(session, shown, maker))) {
    return shown;
  }
  const usage = await resultOrNull(usageAfterRotation(session, before.id, maker));
  if (usage === null && shown === undefined) {
    // The settings forbid the call, so whether the key still has its id is not known.
    return null;
  }
  const isFormerGone = usage?.status === 404;
  if (!isFormerGone && !showsFormerApart(session, answer, before, secret.pointer)) {
    return before.id;
  }
  const listed = await resultOrNull(idInKeyList(session, before, maker, secret.secret));
  // Where the list shows no other record, there is none, unless it cannot show one or the settings forbid to read it:
  // then nothing shows the id.
  const isUnknown = listed === null || (isFormerGone ? shown !== before.id : hidesWords(session, keysPath));
  return listed ?? (isUnknown ? null : before.id);
}

/** Where the answer to a key's creation shows its secret and its id: by itself, or in a path that ends with it. */
function placesOf({ id, record, places }: RunKey): KeyPlaces {
  const inPath = (json: unknown): string | undefined => walk(json).find(({ value }) => holdsId(value, id))?.pointer;
  return { ...places, id: places.id ?? record.answer.unredacted(({ json }) => inPath(json)) };
}

/**
 * Whether a rotation shows the former record apart from the new one: `{"previous": {…}, "current": {…}}`. What is
 * where the answer to the creation showed the record is the record of the secret.
 */
const showsFormerApart = ({ api }: Session, answer: Answer, { id, places }: RunKey, secretPlace: string): boolean => {
  const place = answer.unredacted(({ json }) => placeOfId(json, id));
  const around = place === undefined ? '' : parentOf(place);
  const isAsCreated = place === places.id && secretPlace === places.secret;
  return place !== undefined && !isAsCreated && around !== api.payload && !secretPlace.startsWith(`${around}/`);
};

/** Whether the usage call finds the id, which may take KEY_SETTLE_MS for a new record. */
async function takesId(session: Session, id: string, key: ApiKey): Promise<boolean> {
  const readUsage = (attempt: number): Promise<Answer> =>
    attempt === 0 ? usageAfterRotation(session, id, key) : send(session, `GET ${keysPath}/:id/usage`, { id, key });
  return (await readUntil(session, readUsage, ({ status }) => status !== 404)).status !== 404;
}

/**
 * The id in the only row of the key list with the key's name and another id; undefined: there is none, or several. A
 * copy that somebody made of the key has the name with an addition: the row has to show the name as it was sent or
 * answered, or how the new secret begins or ends.
 */
async function idInKeyList(
  session: Session,
  before: RunKey,
  maker: ApiKey,
  newSecret: string,
): Promise<string | undefined> {
  const { id, record, places } = before;
  const { tag } = record;
  const idField = places.id?.split('/').at(-1) ?? 'id';
  const showsFormerId = (row: JsonObject): boolean => showsId(row, id);
  const showsHint = (row: JsonObject): boolean =>
    walk(row).some(({ value }) => typeof value === 'string' && isTellingHintOf(newSecret, value));
  const texts = textsWithWords(record);
  const isClear = (row: JsonObject): boolean => textsIn(row, texts) > 0 || showsHint(row);
  const newRows = (rows: readonly JsonObject[]): WordedRow[] =>
    rows
      .filter((row) => !showsFormerId(row) && isClear(row))
      .map((row) => ({
        collection: keysPath,
        row,
        tag,
        others: rows.filter((other) => other !== row),
        isComplete: false,
        isNew: true,
      }));
  const readRows = async (): Promise<readonly WordedRow[]> => {
    const pages = await readPages(session, `GET ${keysPath}`, { key: maker });
    return pages.flatMap((page) => page.unredacted(({ payload }) => newRows(rowsIn(payload, 'key') ?? [])));
  };
  const rows = await readUntil(session, readRows, ({ length }) => length > 0);
  const ids = await Promise.all(
    rows.map(async (row) => textAt(row.row, idField) ?? (await provenIdsOfRow(session, row, maker))[0]),
  );
  // A page beyond the last may show the same rows again.
  const [newId, ...more] = new Set(ids);
  return more.length > 0 ? undefined : newId;
}

/** What is in the field of that name, however deep. */
const textAt = (row: JsonObject, field: string): string | undefined =>
  walk(row).flatMap(({ name, value }) => (name === field && isScalar(value) ? [String(value)] : []))[0];

import { at, type JsonObject, walk } from '../../../common/json.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { pagesOf } from '../../session/pages.ts';
import { idsOfRow, isRecord, mentions, rowsIn } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { readUntil } from '../../shared/sighting.ts';
import { keyIdIn, keysPath, type OwnKey, secretIn } from './own-key.ts';

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
  const shown = keyIdIn(session, answer, secret.pointer, before.places.id);
  const usage =
    shown === undefined ? await send(session, `GET ${keysPath}/:id/usage`, { id: before.id, key: maker }) : null;
  return usage?.status === 404 ? ((await resultOrNull(listedId(session, before, maker))) ?? null) : shown;
}

/** The id of the only other row of the list that has the key's name; a row that shows the known id is the key's own. */
async function listedId(session: Session, before: OwnKey, maker: ApiKey): Promise<string | undefined> {
  const { id, record, places } = before;
  const field = places.id?.split('/').at(-1) ?? 'id';
  const { tag } = record;
  const idsIn = (rows: readonly JsonObject[]): string[] =>
    rows
      .filter((row) => mentions(row, tag))
      .flatMap((row) =>
        isRecord(row, 'key', { id, tag }) ? id : (textAt(row, field) ?? idsOfRow(row, 'key')[0] ?? []),
      );
  const look = async (): Promise<readonly string[]> => {
    const call = callOf(endpointOf(`GET ${keysPath}`), maker);
    const found: string[] = [];
    for await (const { answer } of pagesOf(session.client, call, await session.client.send(call))) {
      found.push(...answer.unredacted(({ json }) => idsIn(rowsIn(at(json, '/data'), 'key') ?? [])));
    }
    return found;
  };
  const ids = await readUntil(session, look, (shown) => shown.some((one) => one !== id));
  const others = ids.filter((one) => one !== id);
  return others.length === 1 ? others[0] : undefined;
}

/** What stands in the field of that name, however deep. */
const textAt = (row: JsonObject, field: string): string | undefined =>
  walk(row).flatMap(({ name, value }) =>
    name === field && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
  )[0];

import { at, walk } from '../../common/json.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';

/** Where an id stands in what an answer shows; undefined: nowhere. */
export const placeOf = ({ api }: Session, answer: Answer, id: string | undefined): string | undefined =>
  answer.unredacted(({ json }) => walk(at(json, api.payload)).find(({ value }) => String(value) === id)?.pointer);

/** What stands at the place of an id whose field is not called one. */
export function textAt({ api }: Session, answer: Answer, place: string): string | undefined {
  const value = place.startsWith('/') ? answer.unredacted(({ json }) => at(at(json, api.payload), place)) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Most values of a row that are tried. */
const mostWords = 8;

/**
 * The only value of the record's row under which a read finds something: that nothing else of it does shows that it is the id. The
 * answer to the create shows it too, and its body does not.
 */
export async function onlyReadable(
  session: Session,
  { answer, body, maker }: { readonly answer: Answer; readonly body: unknown; readonly maker: ApiKey },
  words: readonly string[],
  reading: string,
): Promise<string[]> {
  const given = JSON.stringify(body) ?? '';
  const isOfRecord = (id: string): boolean =>
    !given.includes(JSON.stringify(id)) && placeOf(session, answer, id) !== undefined;
  const readable: string[] = [];
  for (const id of [...new Set(words)].filter(isOfRecord).slice(0, mostWords)) {
    if (isSuccess(await send(session, reading, { id, key: maker }))) {
      readable.push(id);
    }
  }
  return readable.length === 1 ? readable : [];
}

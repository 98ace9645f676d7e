import { at, isScalar, parentOf, placeOfId, walk } from '../../../common/json.ts';
import { decoded } from '../../../common/uri.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import type { readingOf } from '../collections.ts';
import { isOrEndsWith } from './ids-in-row.ts';

/** Where an id stands in what an answer shows; undefined: nowhere. */
export const placeOf = (answer: Answer, id: string | undefined): string | undefined =>
  answer.unredacted(({ payload }) => placeOfId(payload, id));

/** The object in which an answer shows an id, whatever that is wrapped in; all of it, where the id stands in none. */
export const aroundId = (answer: Answer, id: string): unknown =>
  answer.unredacted(({ payload }) => at(payload, parentOf(placeOfId(payload, id) ?? '')));

/** What stands at the place of an id whose field is not called one. */
export function textAt(answer: Answer, place: string): string | undefined {
  // A pointer is empty where the answer is the id itself.
  const value = place !== 'Location' ? answer.unredacted(({ payload }) => at(payload, place)) : undefined;
  return isScalar(value) ? String(value) : undefined;
}

/** The id to which the Location of an answer leads; undefined: it leads to none of the collection. */
export function locatedId({
  answer,
  collection,
}: {
  readonly answer: Answer;
  readonly collection: string;
}): string | undefined {
  const location = answer.unredacted(({ header }) => header('Location')) ?? '';
  const segments = location.replace(/[?#].*/s, '').split('/');
  // The base URL may have the collection's name in its path, too.
  const place = segments.lastIndexOf(collection.split('/').at(-1) ?? '');
  const id = place < 0 ? undefined : segments[place + 1];
  return id === undefined || id === '' ? undefined : decoded(id);
}

/** The one of some ids that stands in an answer where another answer has the given one: their order need not be the same. */
export function placedAs(
  ids: readonly string[],
  answer: Answer,
  { of, id }: { readonly of: Answer; readonly id: string },
): string | undefined {
  const place = of.unredacted(({ payload }) => walk(payload).find(({ value }) => isOrEndsWith(String(value), id)));
  const text = place === undefined ? undefined : textAt(answer, place.pointer);
  return text === undefined ? undefined : ids.find((one) => isOrEndsWith(text, one));
}

/** Most values of a row that are tried. */
const mostWords = 8;

/** A record of the run's, of which no field is surely called an id. */
interface Unnamed {
  readonly answer: Answer;
  readonly body: unknown;
  readonly tag: string;
  readonly maker: ApiKey;
}

/** Whether the body of a create gave a text: it is no id that the deployment gives out. */
export const isGiven = ({ body }: Pick<Unnamed, 'body'>, text: string): boolean =>
  JSON.stringify(body)?.includes(JSON.stringify(text)) === true;

/** Those of some words that the answer to the create shows, and its body does not. */
export const toldIn = (made: Unnamed, words: readonly string[]): string[] =>
  [...new Set(words)].filter((id) => !isGiven(made, id) && placeOf(made.answer, id) !== undefined);

type Reading = NonNullable<ReturnType<typeof readingOf>>;

/** A read by an id. One that shows no record may insist on its parameters: refused without, it is made with them. */
export async function readBy(session: Session, reading: Reading, id: string, key: ApiKey): Promise<Answer> {
  const answer = await send(session, reading.id, { id, key });
  const documented = endpointOf(reading.id).query.flatMap(({ name, maximum }) => (maximum ? [[name, maximum]] : []));
  return answer.status === 400 && documented.length > 0
    ? send(session, reading.id, { id, key, query: Object.fromEntries(documented) })
    : answer;
}

/**
 * The only value of the record's row under which a read finds something, the record itself where the read shows one: that nothing else
 * of it does shows that it is the id.
 */
export async function onlyReadable(
  session: Session,
  { tag, maker: key }: Pick<Unnamed, 'tag' | 'maker'>,
  words: readonly string[],
  reading: Reading,
): Promise<string[]> {
  const readable: string[] = [];
  for (const id of [...new Set(words)].slice(0, mostWords)) {
    const view = await readBy(session, reading, id, key);
    if (isSuccess(view) && (!reading.isView || mentions(view.json, tag))) {
      readable.push(id);
    }
  }
  return readable.length === 1 ? readable : [];
}

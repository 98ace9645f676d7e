import { at, walk } from '../../common/json.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { ApiKey } from '../session/key.ts';
import { mentions, rowsIn } from '../session/record.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { isUnguessable } from '../session/unguessable.ts';
import type { ListSearch } from './list-search.ts';

/** Where an id stands in what an answer shows; undefined: nowhere. */
export const placeOf = ({ api }: Session, answer: Answer, id: string | undefined): string | undefined =>
  answer.unredacted(({ json }) => walk(at(json, api.payload)).find(({ value }) => String(value) === id)?.pointer);

/** What stands at the place of an id whose field is not called one. */
export function textAt({ api }: Session, answer: Answer, place: string): string | undefined {
  // A pointer is empty where the answer is the id itself.
  const value = place !== 'Location' ? answer.unredacted(({ json }) => at(at(json, api.payload), place)) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
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

/** Those of some words that the answer to the create shows, and its body does not. */
export function toldIn(session: Session, { answer, body }: Unnamed, words: readonly string[]): string[] {
  const given = JSON.stringify(body) ?? '';
  const isTold = (id: string): boolean =>
    !given.includes(JSON.stringify(id)) && placeOf(session, answer, id) !== undefined;
  return [...new Set(words)].filter(isTold);
}

/**
 * The only value of the record's row under which a read finds something, the record itself where the read shows one: that nothing else
 * of it does shows that it is the id.
 */
export async function onlyReadable(
  session: Session,
  { tag, maker: key }: Pick<Unnamed, 'tag' | 'maker'>,
  words: readonly string[],
  reading: { readonly id: string; readonly isView: boolean },
): Promise<string[]> {
  const readable: string[] = [];
  for (const id of [...new Set(words)].slice(0, mostWords)) {
    const view = await send(session, reading.id, { id, key });
    if (isSuccess(view) && (!reading.isView || mentions(view.json, tag))) {
      readable.push(id);
    }
  }
  return readable.length === 1 ? readable : [];
}

/** Most ids that are tried where a call deletes. */
const mostTold = 4;

/**
 * The values of the record's row that may be its id where no read takes one, in their order: those that stand in no other row, of a
 * list that shows all or so mixed that nobody else has them. What is named for a secret is none.
 */
export function onlyInRow(
  session: Session,
  made: Unnamed,
  words: readonly string[],
  { last, isComplete }: Pick<ListSearch, 'last' | 'isComplete'>,
  noun: string,
): string[] {
  const isOnly = (id: string): boolean =>
    last.unredacted(({ json }) => {
      const rows = rowsIn(at(json, session.api.payload), noun) ?? [];
      return rows.filter((row) => walk(row).some(({ value }) => String(value) === id)).length === 1;
    });
  const isSecret = (id: string): boolean => /secret|sign|token/i.test(placeOf(session, made.answer, id) ?? '');
  return toldIn(session, made, words)
    .filter((id) => isOnly(id) && !isSecret(id) && (isComplete || isUnguessable(id)))
    .slice(0, mostTold);
}

import { isObject, type JsonObject, walk } from '../../../common/json.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { type Among, ownOnesBeside, rivalsOf, withFurther } from './ids-in-row.ts';
import { idAsOf } from './like-another.ts';
import { locatedId } from './readable-id.ts';
import type { Unidentified } from './tried-ids.ts';

/** What is known of a record that no call reads: how it is shown, and the rows that it stands among. */
type Known = Among & { readonly shown: unknown };

/**
 * The id of a record that no call reads, and what else it calls one, as far as nobody else's record can have it. First comes what stands
 * where another kind has the id that its reads take, if that is another one.
 */
export async function safeIds(
  session: Session,
  made: Unidentified,
  id: string,
  { shown, ...among }: Known,
): Promise<readonly string[]> {
  const noun = nounOf(made.collection);
  const told = await toldId(made, id, { shown, ...among });
  const isTold = !(await hasRivals(made, id, { shown, others: among.others }));
  // Where the id is told beside them, rivals are references, as what the body names is.
  const rivals = isTold ? rivalsOf(shown, noun, id, withBody(made, among.others)) : [];
  const references = new Set([...rivals, ...walk(made.body).map(({ value }) => String(value))]);
  const strangers = strangersIn(session, among.others);
  const ids = withFurther(shown, noun, id, { ...among, others: strangers }, isTold).filter(
    (one) => one === id || !references.has(one),
  );
  return told === undefined ? ids : [told, ...ids.filter((one) => one !== told)];
}

/** What the body of the create names is another record, as what other rows show in the same field is. */
const withBody = ({ body }: Unidentified, others: readonly JsonObject[]): readonly JsonObject[] =>
  others.length > 0 && isObject(body) ? [...others, body] : others;

/** What the record has in the field in which another kind has its id, where that is another one than this; undefined: nothing tells. */
async function toldId(
  made: Unidentified,
  id: string,
  { shown, others }: Pick<Known, 'shown' | 'others'>,
): Promise<string | undefined> {
  const ownOnes = ownOnesBeside(shown, nounOf(made.collection), id, withBody(made, others));
  const told = ownOnes.length === 0 ? undefined : await idAsOf(made, [id, ...ownOnes]);
  return told?.isClear === true && told.id !== id ? told.id : undefined;
}

/** Rows that are not the run's: nothing of others is deleted under the id of another record of its own. */
export const strangersIn = ({ tag }: Session, rows: readonly JsonObject[]): readonly JsonObject[] =>
  rows.filter((row) => !mentions(row, tag));

/**
 * Whether what else a record calls an id may be what paths take. Where a record of another kind has all of these fields, a read of
 * that one has told which it is.
 */
export async function hasRivals(
  made: Unidentified,
  id: string,
  { shown, others }: Pick<Known, 'shown' | 'others'>,
): Promise<boolean> {
  const rivals = rivalsOf(shown, nounOf(made.collection), id, withBody(made, others));
  // The path in Location is the record's own, whatever else it calls an id.
  if (rivals.length === 0 || locatedId(made) === id) {
    return false;
  }
  const told = await idAsOf(made, [id, ...rivals]);
  return told?.id !== id || !told.isClear;
}

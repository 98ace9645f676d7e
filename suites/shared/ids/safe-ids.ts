import type { JsonObject } from '../../../common/json.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { type Among, rivalsOf, withFurther } from './ids-in-row.ts';
import { idAsOf } from './like-another.ts';
import type { Unidentified } from './tried-ids.ts';

/** What is known of a record that no call reads: how it is shown, and the rows that it stands among. */
type Known = Among & { readonly shown: unknown };

/** The id of a record that no call reads, and what else it calls one, as far as nobody else's record can have it. */
export async function safeIds(
  session: Session,
  made: Unidentified,
  id: string,
  { shown, ...among }: Known,
): Promise<readonly string[]> {
  const isTold = !(await hasRivals(made, id, { shown, others: among.others }));
  const others = strangersIn(session, among.others);
  return withFurther(shown, nounOf(made.collection), id, { ...among, others }, isTold);
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
  const rivals = rivalsOf(shown, nounOf(made.collection), id, others);
  if (rivals.length === 0) {
    return false;
  }
  const told = await idAsOf(made, [id, ...rivals]);
  return told?.id !== id || !told.isClear;
}

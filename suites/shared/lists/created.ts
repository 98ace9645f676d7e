import { type JsonObject, walk } from '../../../common/json.ts';
import { withArticle } from '../../../common/words.ts';
import type { Tally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { findingOn } from '../../engine/expect.ts';
import { mentions } from '../../session/reading/own-words.ts';
import { recordIn } from '../../session/reading/record.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import { changedState, isShownGone } from '../clean-up/still-there.ts';
import { nounOf } from '../collections.ts';
import type { Created } from '../records.ts';
import type { ListSearch } from './list-search.ts';

/** A created record stands in the list. Throws Inconclusive where not all of the list could be read. */
export function judgeShown(
  tally: Tally,
  search: ListSearch,
  { collection, id }: Pick<Created, 'collection' | 'id'>,
): void {
  if (search.isShown) {
    tally.judge(null);
    return;
  }
  const noun = nounOf(collection);
  const finding = findingOn(search.last, {
    message: `Created ${noun} is not listed: ${id} is not in ${inPages(search.pages, `GET ${collection}`)}`,
    expected: `${withArticle(noun)} with the id ${id}`,
    actual: 'no such record',
  });
  if (!search.isComplete) {
    throw new Inconclusive({
      ...finding,
      cause: 'The list goes on, and its answers do not show how to reach all of it',
    });
  }
  tally.judge(finding);
}

/**
 * A deleted record stands in the list no more, or with a row that says so. `before`: where it stood until then; a list that did
 * not show it cannot show that it is gone.
 */
export function judgeNotShown(
  tally: Tally,
  after: ListSearch,
  record: Listed,
  before: Before | null,
  what = 'Deleted',
): void {
  const [noun, list] = [nounOf(record.collection), `GET ${record.collection}`];
  if (isListed(after, before, record)) {
    tally.judge(
      findingOn(after.last, {
        message: `${what} ${noun} is still listed: ${record.id} in ${list}`,
        expected: 'absent, or shown as deleted',
        actual: 'listed',
        place: 'body',
      }),
    );
  } else if (after.row !== undefined && !isShownGone(after.row, before?.row) && stateIn(after, before) !== undefined) {
    const state = stateIn(after, before);
    const message = `Whether the ${what.toLowerCase()} ${noun} is gone is unknown: ${list} shows ${record.id} with another ${state}`;
    tally.leaveOpen(findingOn(after.last, { message }));
  } else if (before?.isShown) {
    tally.judge(null);
  }
}

/** What is to be known of a record that is looked for in a list, and where it stood there. */
type Listed = Pick<Created, 'collection' | 'id' | 'tag' | 'answer' | 'body'>;
type Before = Pick<ListSearch, 'row' | 'isShown'>;

/** The row of a record that no list has shown yet: as the answer to its create shows it. */
export const madeRow = ({ collection, answer }: Pick<Created, 'collection' | 'answer'>): Before => ({
  isShown: false,
  row: recordIn(answer.json, nounOf(collection)) ?? {},
});

/** The field in which a row shows another state than before. */
const stateIn = ({ row = {} }: Pick<ListSearch, 'row'>, before: Pick<ListSearch, 'row'> | null): string | undefined =>
  changedState(row, before?.row ?? {});

/** Whether a list still shows a record that was deleted: one whose row was known until then may be shown as gone. */
export const isListed = ({ isShown, row }: Before, before: Pick<ListSearch, 'row'> | null, record?: Listed): boolean =>
  isShown &&
  !(row !== undefined && before !== null && isShownGone(row, before.row)) &&
  stateIn({ row }, before) === undefined &&
  !(row !== undefined && record !== undefined && isAnothers(row, record));

/** Whether a row is that of another record, to which a counted id has been given since: where the run's words stood, others stand. */
function isAnothers(row: JsonObject, { id, tag, answer, body }: Listed): boolean {
  const wordsIn = (root: unknown) =>
    walk(root).filter(({ value }) => typeof value === 'string' && mentions(value, tag));
  const worded = new Set([answer.json, body].flatMap(wordsIn).map(({ name }) => name));
  const isOther = walk(row).some(({ name, value }) => worded.has(name) && typeof value === 'string');
  return !isUnguessable(id) && isOther && wordsIn(row).length === 0;
}

/** `GET /v1/leads`, `any of 3 pages of GET /v1/leads`: where something was looked for. */
export const inPages = (pages: number, list: string): string =>
  pages === 1 ? list : `any of ${pages} pages of ${list}`;

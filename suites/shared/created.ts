import { type JsonObject, walk } from '../../common/json.ts';
import { withArticle } from '../../common/words.ts';
import type { Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import { findingOn } from '../engine/expect.ts';
import { isUnguessable } from '../session/grounds.ts';
import { mentions } from '../session/record.ts';
import { nounOf } from './collections.ts';
import type { Created } from './records.ts';
import type { Sighting } from './sighting.ts';
import { saysGone } from './still-there.ts';

/** A created record stands in the list. Throws Inconclusive where not all of the list could be read. */
export function judgeShown(
  tally: Tally,
  sighting: Sighting,
  { collection, id }: Pick<Created, 'collection' | 'id'>,
): void {
  if (sighting.isShown) {
    tally.judge(null);
    return;
  }
  const noun = nounOf(collection);
  const finding = findingOn(sighting.last, {
    message: `Created ${noun} is not listed: ${id} is not in ${inPages(sighting.pages, `GET ${collection}`)}`,
    expected: `${withArticle(noun)} with the id ${id}`,
    actual: 'no such record',
  });
  if (!sighting.isComplete) {
    throw new Inconclusive({
      ...finding,
      cause: 'The list goes on, and its answers do not show how to reach all of it',
    });
  }
  tally.judge(finding);
}

/** Whether a deleted record is listed as if it were there: in a row that does not say otherwise, and is no other's. */
export const isStillListed = ({ isShown, row }: Sighting, record: Listed): boolean =>
  isShown && !record.answer.unredacted(({ json }) => saysGone(row, json) || isAnothers(row, record, json));

/** What is to be known of a record that is looked for in a list. */
type Listed = Pick<Created, 'collection' | 'id' | 'tag' | 'answer'>;

/** Whether a row is that of another record, to which a counted id has been given since: where the run's words stood, others stand. */
function isAnothers(row: JsonObject | undefined, { id, tag }: Listed, created: unknown): boolean {
  const wordsIn = (root: unknown) =>
    walk(root).filter((one) => mentions(one.value, tag) && typeof one.value === 'string');
  const worded = new Set(wordsIn(created).map(({ name }) => name));
  const isOther = walk(row).some(({ name, value }) => worded.has(name) && typeof value === 'string');
  return !isUnguessable(id) && isOther && wordsIn(row).length === 0;
}

/**
 * A deleted record stands in the list no more, or in a row that says so, as none did before. A list that did not show it before cannot
 * show that it is gone.
 */
export function judgeNotShown(
  tally: Tally,
  after: Sighting,
  record: Listed,
  wasShown: boolean,
  what = 'Deleted',
): void {
  const [noun, list] = [nounOf(record.collection), `GET ${record.collection}`];
  if (isStillListed(after, record)) {
    tally.judge(
      findingOn(after.last, {
        message: `${what} ${noun} is still listed: ${record.id} in ${list}`,
        expected: 'absent',
        actual: 'listed',
        place: 'body',
      }),
    );
  } else if (wasShown || after.isShown) {
    tally.judge(null);
  }
}

/** `GET /v1/leads`, `any of 3 pages of GET /v1/leads`: where something was looked for. */
export const inPages = (pages: number, list: string): string =>
  pages === 1 ? list : `any of ${pages} pages of ${list}`;

import { scalarText, stringsIn, walk } from '../../../common/json.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { findMainList } from '../../reading/main-list.ts';
import { mentions } from '../../reading/own-words.ts';
import { rawRows } from '../../reading/rows.ts';
import { idIn, idsOf, namedIdsOf, shownIds } from '../../reading/shown-ids.ts';
import { nounOf } from '../../records/collections.ts';
import { firstFoundView, read } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { recordStory, type Story } from './story.ts';

/** The detail view of a record. */
export interface DetailView {
  readonly id: string;
  /** Words that are in the record; null: the run did not make it. */
  readonly tag: string | null;
  /** Where the run did not make it: texts of its row that no other row of the page shows. */
  readonly texts?: readonly string[];
  readonly answer: Answer;
}

/**
 * The first read of the story's first record or, where the run may write nothing, a read of the first that is listed.
 * Throws Inconclusive where there is none, or Skipped.
 */
export const detailView = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<DetailView> => {
    let story: Story;
    try {
      story = await recordStory(session, kind);
    } catch (error) {
      if (error instanceof Skipped) {
        return viewOfListed(session, kind, error);
      }
      throw error;
    }
    const [view] = story.views();
    return { ...story.first, answer: (view as { readonly answer: Answer }).answer };
  },
);

/** Most ids under which a listed record is read. */
const mostIdsTried = 5;

/** Reads the first listed record, under the first id that finds it. */
async function viewOfListed(session: Session, kind: Readable, skipped: Skipped): Promise<DetailView> {
  const noun = nounOf(kind);
  const [listed = {}, ...others] = rawRows(await read(session, listing(kind)), noun);
  const named = namedIdsOf(listed, noun);
  const shown = shownIds(listed, noun, session.tag).map(({ id }) => id);
  const ids = [...new Set([...named, ...idsOf(listed, noun), ...shown])].slice(0, mostIdsTried);
  const shownByOthers = new Set(others.flatMap(textsIn));
  const texts = textsIn(listed).filter((text) => !shownByOthers.has(text));
  const views: DetailView[] = [];
  for (const id of ids) {
    const view = { id, tag: null, texts, answer: await firstFoundView(session, reading(kind), id) };
    if (isSuccess(view.answer)) {
      return view;
    }
    views.push(view);
  }
  const [first] = views;
  if (first === undefined) {
    const message = `${skipped.message} (and no ${noun} is listed that could be read)`;
    throw new Skipped(message, skipped.finding.needs);
  }
  if (named.length === 0) {
    const message = `Unknown which id works in paths: ${reading(kind)} gets ${describeAnswer(first.answer)} with ${ids.join(', ')}`;
    throw new Inconclusive(findingOn(first.answer, { message }));
  }
  return first;
}

const textsIn = (json: unknown): string[] => stringsIn(json).filter((text) => text !== '');

type Shown = Omit<DetailView, 'answer'>;

/**
 * Whether a view shows the record: by its id or, since a view may show none, or the ids of others, by its words. What
 * field holds the id of a record that the run did not make is not known: any text of its row will do.
 */
export const showsRecord = (answer: Answer, noun: string, { id, tag, texts = [] }: Shown): boolean =>
  answer.unredacted(({ json }) =>
    tag === null
      ? walk(json).some(({ value }) => scalarText(value) === id) || textsIn(json).some((text) => texts.includes(text))
      : idIn(json, noun) === id || mentions(answer.json, tag),
  );

/** Whether a view is a list instead: the record's id and words are in one of several rows, and nowhere else. */
export function isListWithRecord(json: unknown, noun: string, { id, tag }: Shown): boolean {
  const { pointer = '', rows = [] } = findMainList(json, noun) ?? {};
  const withId = rows.filter((row) => idsOf(row, noun).includes(id));
  const isOfRecord = (value: unknown): boolean =>
    scalarText(value) === id || (tag !== null && typeof value === 'string' && mentions(value, tag));
  return (
    rows.length > 1 &&
    withId.length === 1 &&
    rows.every((row) => idsOf(row, noun).length > 0) &&
    walk(json).every(({ value, pointer: place }) => place.startsWith(`${pointer}/`) || !isOfRecord(value))
  );
}

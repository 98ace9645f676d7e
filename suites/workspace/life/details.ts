import { scalarText, walk } from '../../../common/json.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import { showsId } from '../../reading/id-fields.ts';
import { findMainList } from '../../reading/main-list.ts';
import { mentions, standsIn } from '../../reading/own-words.ts';
import { rawRows } from '../../reading/rows.ts';
import { idIn, idsOf, namedIdsOf } from '../../reading/shown-ids.ts';
import { nounOf } from '../../records/collections.ts';
import { firstFoundView, read } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { recordStory } from './story.ts';

/** The detail view of a record. */
export interface DetailView {
  readonly id: string;
  /** Words that are in the record; null: the run did not make it. */
  readonly tag: string | null;
  readonly answer: Answer;
}

/**
 * The first read of the story's first record or, where the run may write nothing, a read of the first that is listed.
 * Throws Inconclusive where there is none, or Skipped.
 */
export const detailView = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<DetailView> => {
    try {
      const { first, views } = await recordStory(session, kind);
      const [view] = views();
      return { ...first, answer: (view as { readonly answer: Answer }).answer };
    } catch (error) {
      if (error instanceof Skipped) {
        return viewOfListed(session, kind, error);
      }
      throw error;
    }
  },
);

/** Most ids under which a listed record is read. */
const mostIdsTried = 3;

/** Reads the first listed record, under the first id that finds it. */
async function viewOfListed(session: Session, kind: Readable, skipped: Skipped): Promise<DetailView> {
  const noun = nounOf(kind);
  const [row = {}] = rawRows(await read(session, listing(kind)), noun);
  const ids = idsOf(row, noun).slice(0, mostIdsTried);
  const views: DetailView[] = [];
  for (const id of ids) {
    const view = { id, tag: null, answer: await firstFoundView(session, reading(kind), id) };
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
  if (namedIdsOf(row, noun).length === 0) {
    const message = `Unknown which id works in paths: ${reading(kind)} gets ${describeAnswer(first.answer)} with ${ids.join(', ')}`;
    throw new Inconclusive(findingOn(first.answer, { message }));
  }
  return first;
}

type Shown = Omit<DetailView, 'answer'>;

/** Whether a view shows the record: by its id or, since a view may show none, or the ids of others, by its words. */
export const showsRecord = (answer: Answer, noun: string, { id, tag }: Shown): boolean =>
  answer.unredacted(({ json }) => {
    const shown = idIn(json, noun);
    return shown === id || (tag === null ? shown === undefined || showsId(json, id) : mentions(answer.json, tag));
  });

/** Whether a view is a list instead: the record's id and words are in one of several rows, and nowhere else. */
export function isListWithRecord(json: unknown, noun: string, { id, tag }: Shown): boolean {
  const { pointer = '', rows = [] } = findMainList(json, noun) ?? {};
  const isOfRecord = (value: unknown): boolean =>
    scalarText(value) === id || (tag !== null && typeof value === 'string' && standsIn(value, tag));
  return (
    rows.length > 1 &&
    rows.every((row) => idsOf(row, noun).length > 0) &&
    walk(json).every(({ value, pointer: place }) => place.startsWith(`${pointer}/`) || !isOfRecord(value))
  );
}

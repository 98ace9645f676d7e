import { Skipped } from '../../../results/outcome.ts';
import { idsOf } from '../../reading/record.ts';
import { rawRows } from '../../reading/rows.ts';
import { nounOf } from '../../records/lists.ts';
import { firstFoundView, read } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { type Session, stepFor } from '../../session/session.ts';
import { listing, type Readable, reading } from '../kinds.ts';
import { recordStory } from './record-story.ts';

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

/** A read of the first listed record: under the first of its ids that finds it. */
async function viewOfListed(session: Session, kind: Readable, skipped: Skipped): Promise<DetailView> {
  const noun = nounOf(kind);
  const [row = {}] = rawRows(await read(session, listing(kind)), noun);
  const ids = idsOf(row, noun).slice(0, mostIdsTried);
  const views = await Promise.all(
    ids.map(async (id) => ({ id, tag: null, answer: await firstFoundView(session, reading(kind), id) })),
  );
  const view = views.find(({ answer }) => isSuccess(answer)) ?? views[0];
  if (view === undefined) {
    const message = `${skipped.message} (and no ${noun} is listed that could be read)`;
    throw new Skipped(message, skipped.finding.needs);
  }
  return view;
}

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
import { assertCreated } from '../records/creating.ts';
import { mainRecord } from './story.ts';

/** The detail view of a record. */
export interface DetailView {
  readonly id: string;
  /** Words that are in the record; null: the run did not make it. */
  readonly tag: string | null;
  /** Where the run did not make it: texts of its row that no other row of the page shows. */
  readonly texts?: readonly string[];
  readonly answer: Answer;
}

type Identity = Omit<DetailView, 'answer'>;

/**
 * Reads the detail view of the main record or, where the run may write nothing, of the first that is listed, under the
 * first id that finds it. Throws Inconclusive where there is none, or Skipped.
 */
export const detailView = stepFor(
  (kind: Readable) => kind,
  async (session, kind): Promise<DetailView> => {
    const { ids, isIdNamed, ...record } = await recordToRead(session, kind);
    const views: DetailView[] = [];
    for (const id of ids) {
      const view = { ...record, id, answer: await firstFoundView(session, reading(kind), id) };
      if (isSuccess(view.answer)) {
        return view;
      }
      views.push(view);
    }
    const [first] = views as [DetailView];
    if (!isIdNamed) {
      const message = `Unknown which id works in paths: ${reading(kind)} gets ${describeAnswer(first.answer)} with ${ids.join(', ')}`;
      throw new Inconclusive(findingOn(first.answer, { message }));
    }
    return first;
  },
);

/** A record, with what may be its ids, likeliest first. */
interface RecordToRead extends Pick<DetailView, 'tag' | 'texts'> {
  readonly ids: readonly string[];
  /** Whether the first id is known to be the record's, or is called that. */
  readonly isIdNamed: boolean;
}

/** The main record or, where the run may write nothing, the first that is listed. */
async function recordToRead(session: Session, kind: Readable): Promise<RecordToRead> {
  try {
    const { id, tag } = assertCreated(await mainRecord(session, kind));
    return { ids: [id], tag, isIdNamed: true };
  } catch (error) {
    if (!(error instanceof Skipped)) {
      throw error;
    }
    const noun = nounOf(kind);
    const page = await read(session, listing(kind));
    const [listed = {}, ...others] = rawRows(page, noun);
    const named = namedIdsOf(listed, noun);
    const shown = shownIds(listed, noun, session.tag).map(({ id }) => id);
    const ids = [...new Set([...named, ...idsOf(listed, noun), ...shown])].slice(0, mostIdsTried);
    if (ids.length === 0) {
      const message = `${error.message} (and no ${noun} is listed that could be read)`;
      throw new Skipped(message, error.finding.needs);
    }
    const shownByOthers = new Set(others.flatMap(textsIn));
    const texts = textsIn(listed).filter((text) => !shownByOthers.has(text));
    return { ids, tag: null, texts, isIdNamed: named.length > 0 };
  }
}

/** Most ids under which a listed record is read. */
const mostIdsTried = 5;

const textsIn = (json: unknown): string[] => stringsIn(json).filter((text) => text !== '');

/**
 * Whether a view shows the record: by its id or, since a view may show none, or the ids of others, by its words. What
 * field holds the id of a record that the run did not make is not known: any text of its row will do.
 */
export const showsRecord = (answer: Answer, noun: string, { id, tag, texts = [] }: Identity): boolean =>
  answer.unredacted(({ json }) =>
    tag === null
      ? walk(json).some(({ value }) => scalarText(value) === id) || textsIn(json).some((text) => texts.includes(text))
      : idIn(json, noun) === id || mentions(answer.json, tag),
  );

/** Whether a view is a list instead: the record's id and words are in one of several rows, and nowhere else. */
export function isListWithRecord(json: unknown, noun: string, { id, tag }: Identity): boolean {
  const { pointer = '', rows = [] } = findMainList(json, noun) ?? {};
  const idsByRow = rows.map((row) => idsOf(row, noun));
  const isOfRecord = (value: unknown): boolean =>
    scalarText(value) === id || (tag !== null && typeof value === 'string' && mentions(value, tag));
  return (
    idsByRow.length > 1 &&
    idsByRow.every((ids) => ids.length > 0) &&
    idsByRow.filter((ids) => ids.includes(id)).length === 1 &&
    walk(json).every(({ value, pointer: place }) => place.startsWith(`${pointer}/`) || !isOfRecord(value))
  );
}

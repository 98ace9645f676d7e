import { at, isObject, parentOf, walk } from '../../../common/json.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Fingerprint } from '../../session/reading/fingerprint.ts';
import { ownIds } from '../../session/reading/own-ids.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { ShownId } from '../../session/reading/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { readUntil } from '../lists/list-search.ts';
import { firstView } from '../reads.ts';

/** A record of the run's whose id is looked for: nothing tells yet which one paths take. */
export interface Unidentified {
  readonly collection: string;
  /** Words that stand in it and in no other. */
  readonly tag: string;
  readonly maker: ApiKey;
  /** The body of its create: the ids in it are those of other records. */
  readonly body: unknown;
  /** The answer to its create. */
  readonly answer: Answer;
  /** A record of another kind that a read has shown under its id. */
  readonly like?: (() => Promise<Known | null>) | undefined;
  /** Creates another of its kind, where one is needed: one reading of the list shows both. */
  readonly beside?: (() => Promise<unknown>) | undefined;
  /** What tells it where it shows none of its words. */
  readonly fingerprint: Fingerprint;
  /** Pointers in what the answer shows to what stands in the record alone, besides its words. */
  readonly ownPlaces?: ((json: unknown) => readonly string[]) | undefined;
}

/** A record of another kind. */
export interface Known extends Pick<Unidentified, 'collection' | 'answer'> {
  readonly id?: string | undefined;
}

/** Whether the answer to the create shows the record's words. */
export const showsWords = ({ answer, tag }: Unidentified): boolean =>
  answer.unredacted(({ payload }) => mentions(payload, tag));

/** Most ids that are tried. */
export const mostTried = 6;

/** What reads say of the ids: under which one they show the run's words, and whether one of them is somebody else's. */
interface TriedIds {
  readonly id?: string;
  readonly isDenied: boolean;
}

/** What stands beside what is surely an id, and is called one only somehow: that may be the number of a row, and this what paths take. */
const furtherIds = ({ answer, collection }: Unidentified, shown: readonly ShownId[]): string[] =>
  answer.unredacted(({ payload }) => {
    const places = new Set(shown.flatMap(({ isOwn, place }) => (isOwn ? [parentOf(place).replaceAll('*', '0')] : [])));
    const records = [...places].map((place) => at(payload, place)).filter(isObject);
    const ids = records.flatMap((record) => ownIds(record, nounOf(collection)).map(({ id }) => id));
    return ids.filter((id) => shown.every((one) => one.id !== id));
  });

/** Reads the record under each of the ids, until one shows its words or the settle time is over. */
export async function readWith(
  session: Session,
  made: Unidentified,
  reading: string,
  shown: readonly ShownId[],
): Promise<TriedIds> {
  const key = made.maker;
  const further = furtherIds(made, shown).slice(0, mostTried);
  let rounds = 0;
  const look = async (): Promise<TriedIds & { isOpen: boolean }> => {
    let [isOpen, isDenied] = [false, false];
    rounds += 1;
    for (const { id } of shown.slice(0, mostTried)) {
      const view = await (rounds === 1 ? firstView(session, reading, id, key) : send(session, reading, { id, key }));
      if (isSuccess(view) && mentions(view.payload, made.tag)) {
        return { id, isDenied: false, isOpen: false };
      }
      isDenied ||= isSuccess(view) && (showsWords(made) || showsOther(view, made.body));
      isOpen ||= view.status === 404;
    }
    for (const id of isOpen ? further : []) {
      const view = await send(session, reading, { id, key });
      if (isSuccess(view) && mentions(view.payload, made.tag)) {
        return { id, isDenied: false, isOpen: false };
      }
    }
    return { isOpen, isDenied };
  };
  return readUntil(session, look, ({ isOpen }) => !isOpen);
}

/** Whether a record has another text in a field that the create gave. */
function showsOther({ json }: Answer, body: unknown): boolean {
  const given = new Map(walk(body).flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : [])));
  return walk(json).some(({ name, value }) => typeof value === 'string' && (given.get(name) ?? value) !== value);
}

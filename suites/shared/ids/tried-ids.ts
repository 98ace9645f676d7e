import { at, walk } from '../../../common/json.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Fingerprint } from '../../session/reading/fingerprint.ts';
import { mentions } from '../../session/reading/own-words.ts';
import type { ShownId } from '../../session/reading/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { nounOf } from '../collections.ts';
import { readUntil } from '../lists/list-search.ts';
import { firstView } from '../reads.ts';
import { isOrEndsWith } from './ids-in-row.ts';
import { placeOf } from './readable-id.ts';

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

interface Known extends Pick<Unidentified, 'collection' | 'answer'> {
  readonly id: string | undefined;
}

/** Whether the answer to the create shows the record's words. */
export const showsWords = ({ api }: Session, { answer, tag }: Unidentified): boolean =>
  answer.unredacted(({ json }) => mentions(at(json, api.payload), tag));

/** Most ids that are tried. */
export const mostTried = 4;

/** What reads say of the ids: under which one they show the run's words, and whether one of them is somebody else's. */
interface TriedIds {
  readonly id?: string;
  readonly isDenied: boolean;
}

/** Reads the record under each of the ids, until one shows its words or the settle time is over. */
export async function readWith(
  session: Session,
  made: Unidentified,
  reading: string,
  shown: readonly ShownId[],
): Promise<TriedIds> {
  let rounds = 0;
  const look = async (): Promise<TriedIds & { isOpen: boolean }> => {
    let [isOpen, isDenied] = [false, false];
    rounds += 1;
    for (const { id } of shown.slice(0, mostTried)) {
      const key = made.maker;
      const view = await (rounds === 1 ? firstView(session, reading, id, key) : send(session, reading, { id, key }));
      if (isSuccess(view) && mentions(at(view.json, session.api.payload), made.tag)) {
        return { id, isDenied: false, isOpen: false };
      }
      isDenied ||= isSuccess(view) && (showsWords(session, made) || showsOther(view, made.body));
      isOpen ||= view.status === 404;
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

/** An id that stands in the field in which a record of another kind has the id that reads take. */
interface LikeAnother {
  readonly id: string;
  /** That record has the fields of the others, too, so its read has told which of them is the id. */
  readonly isClear: boolean;
}

/** The one of several ids that stands in the field in which a record of another kind has the id that reads take. */
export async function idAsOf(
  session: Session,
  made: Unidentified,
  ids: readonly string[],
): Promise<LikeAnother | undefined> {
  const other = await resultOrNull(made.like?.() ?? Promise.resolve(null));
  if (other?.id === undefined) {
    return undefined;
  }
  const fields = fieldsOf(session, other, other.id);
  const [id, ...more] = ids.filter((one) => fieldsOf(session, made, one).some((name) => fields.includes(name)));
  const all = fieldsOf(session, other, null);
  const isClear = ids.every((one) => one === id || fieldsOf(session, made, one).some((name) => all.includes(name)));
  return id === undefined || more.length > 0 ? undefined : { id, isClear };
}

/** Those of some ids in whose fields a record of another kind, whose id a read has told, does not show something else. */
export async function withoutReferences(
  session: Session,
  made: Unidentified,
  ids: readonly string[],
): Promise<readonly string[]> {
  const other = ids.length === 0 ? null : await resultOrNull(made.like?.() ?? Promise.resolve(null));
  if (other?.id === undefined) {
    return ids;
  }
  const own = fieldsOf(session, other, other.id);
  // Where that one's id stands in no field, as in Location alone, its fields tell nothing.
  if (own.length === 0) {
    return ids;
  }
  const further = fieldsOf(session, other, null).filter((name) => !own.includes(name));
  const isReference = (id: string): boolean => {
    const fields = fieldsOf(session, made, id);
    return fields.length > 0 && fields.every((name) => further.includes(name));
  };
  return ids.filter((id) => !isReference(id));
}

/** The only id within a record that stands where a record of another kind has the one that reads take. */
export async function idPlacedAs(
  session: Session,
  made: Unidentified,
  shown: readonly ShownId[],
): Promise<string | undefined> {
  const within = shown.filter(({ isOwn }) => !isOwn);
  const other = within.length === 0 ? null : await resultOrNull(made.like?.() ?? Promise.resolve(null));
  const place = other === null ? undefined : placeOf(session, other.answer, other.id);
  if (other === null || place === undefined) {
    return undefined;
  }
  const bare = (pointer: string, noun: string): string =>
    pointer
      .split('/')
      .filter((name) => name !== noun)
      .join('/');
  const sought = bare(place, nounOf(other.collection));
  const [only, ...more] = within.filter((one) => bare(one.place, nounOf(made.collection)) === sought);
  return more.length === 0 ? only?.id : undefined;
}

/** The fields in which an id, or a path that ends with it, stands in the answer to a create, whatever the record is called; null: all. */
const fieldsOf = (
  { api }: Session,
  { answer, collection }: Pick<Unidentified, 'answer' | 'collection'>,
  id: string | null,
): string[] =>
  answer.unredacted(({ json }) =>
    walk(at(json, api.payload)).flatMap(({ name, value }) =>
      id === null || isOrEndsWith(String(value), id) ? [name.toLowerCase().replace(nounOf(collection), '')] : [],
    ),
  );

import { at, parentOf, walk } from '../../../common/json.ts';
import { createRedactor } from '../../../common/redact.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { referencesIn } from '../../session/reading/fingerprint.ts';
import { recordIn, type ShownId, shownIds } from '../../session/reading/record.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { nounOf, readingOf } from '../collections.ts';
import { checkedByList } from './checked-by-list.ts';
import { fromRow } from './id-from-row.ts';
import { isOrEndsWith } from './ids-in-row.ts';
import { wasKnownBefore } from './known-before.ts';
import { aroundId, isGiven, locatedId, placeOf, readBy, textAt } from './readable-id.ts';
import { hasRivals } from './safe-ids.ts';
import { readWith, showsWords, type Unidentified } from './tried-ids.ts';

/** The ids of a record that the run has just made. */
interface OwnIds {
  /** undefined where nothing proves one. */
  readonly id: string | undefined;
  /** Others that stand at the record itself, where no read tells which one paths take. */
  readonly others: readonly string[];
}

/**
 * The id of a record that the run has just made, proven to be its own: calls may change and delete it from then on. Where the
 * answer shows one id at the record itself, beside the words, that is it, and a read of the first of its kind shows that reads
 * take it; where it shows several, or others', each is tried on reads before any is used.
 */
export async function provenIds(session: Session, made: Unidentified): Promise<OwnIds> {
  const lesson = await lessonOf(session, made);
  const { id: first, others: rest } =
    lesson.of === made ? lesson : ((await followed(session, made, lesson)) ?? (await confirmed(session, made)));
  const mayBe = (one: string): boolean =>
    one.isWellFormed() &&
    (!holdsKey(one, made.maker) || beginsSecret(made.answer, one)) &&
    !wasKnownBefore(session, made, one);
  const [id, ...others] = [first ?? [], rest].flat().filter(mayBe);
  for (const own of [id ?? [], others].flat()) {
    session.writeGuard.allow(made.collection, own);
  }
  return { id, others };
}

/** Whether an id is an echo of the key that made the record, however it is written, or looks like a key: it would go into URLs and the ledger. */
export function holdsKey(id: string, { secret }: Pick<ApiKey, 'secret'>): boolean {
  const redactor = createRedactor();
  redactor.learn(secret);
  return redactor.clean(id) !== id;
}

/** So much of a secret that begins with the id has to be left. */
const restOfSecret = /^[\w~+/=.-]{16}/;

/** Whether an id is how the secret begins that the answer shows, as services tell keys apart: it gives nothing away. */
const beginsSecret = (answer: Answer, id: string): boolean =>
  answer.unredacted(({ payload }) =>
    walk(payload).some(
      ({ value }) =>
        typeof value === 'string' &&
        value
          .split(id)
          .slice(1)
          .some((rest) => restOfSecret.test(rest)),
    ),
  );

/** The ids at the places at which the first record of its kind had its own. */
function idsAt(made: Unidentified, { places, id: first = '' }: Lesson): OwnIds | undefined {
  // A path in a field may be the id, or end with it.
  const shown = candidatesOf(made).filter((one) => one.id.includes('/') === first.includes('/'));
  const [id, ...others] = places.flatMap(
    (place) => shown.find((one) => one.place === place)?.id ?? textAt(made.answer, place) ?? [],
  );
  return id === undefined ? undefined : { id, others };
}

/** The same, where these are surely its own: beside others, the one that clashed with none before may be another's now. */
async function followed(session: Session, made: Unidentified, lesson: Lesson): Promise<OwnIds | undefined> {
  const { collection } = made;
  // The list alone showed one of the ids.
  const isTold = lesson.places.length > lesson.others.length;
  const ids = isTold ? idsAt(made, lesson) : undefined;
  if (ids?.id === undefined || readingOf(session.api.endpoints, collection) !== undefined) {
    return ids;
  }
  const shown = aroundId(made.answer, ids.id);
  const first = recordIn(aroundId(lesson.of.answer, lesson.id ?? ''), nounOf(collection));
  const others = first === undefined ? [] : [first];
  return (await hasRivals(made, ids.id, { shown, others })) ? undefined : ids;
}

/** Where the first record of its kind shows its ids in the answer to its create, as reads have confirmed. */
interface Lesson extends OwnIds {
  readonly places: readonly string[];
  readonly of: Unidentified;
}

const lessonOf = stepFor(
  ({ collection }: Unidentified) => collection,
  (session, made): Promise<Lesson> => confirmed(session, made),
);

/** The ids that the answer shows and the body does not, and that of its Location. */
function candidatesOf({ collection, tag, body, answer, ownPlaces }: Unidentified): ShownId[] {
  const given = JSON.stringify(body) ?? '';
  const id = locatedId({ answer, collection });
  return answer.unredacted(({ payload }) => {
    const inBody = shownIds(payload, nounOf(collection), tag, ownPlaces?.(payload));
    const isTold = id === undefined || inBody.some(({ isOwn, isSure }) => isOwn && isSure);
    const all = isTold
      ? inBody
      : [{ id, place: 'Location', isOwn: true, isSure: true }, ...inBody.map((one) => ({ ...one, isOwn: false }))];
    // A path that ends with a number is not given where another record's number is.
    const textOf = ({ id: one, place }: ShownId): string => {
      const text = at(payload, place);
      return typeof text === 'string' && isOrEndsWith(text, one) ? text : one;
    };
    return all.filter((one) => (one.isOwn && one.isSure) || !given.includes(JSON.stringify(textOf(one))));
  });
}

async function confirmed(session: Session, made: Unidentified): Promise<Lesson> {
  const shown = candidatesOf(made);
  const own = shown.filter(({ isOwn }) => isOwn).map(({ id }) => id);
  const [id = '', key] = [own[0], made.maker];
  const reading = readingOf(session.api.endpoints, made.collection);
  // What may be the id of something else is tried, where a read takes it.
  const isSure = shown.some((one) => one.isOwn && one.isSure);
  const isTold = reading?.isView !== false || isSure;
  const isPlain =
    own.length === 1 && isTold && (shown.length === 1 || showsWords(made) || isBesideReference(made, shown));
  let isDenied = false;
  const look = async (): Promise<readonly string[]> => {
    if (reading?.isView !== true) {
      // Where no read takes it, a list may tell: what stands in other rows too is no record's own.
      const isTaken = isPlain && (reading === undefined ? isSure : isSuccess(await readBy(session, reading, id, key)));
      const isUnread = isTaken && reading === undefined;
      if (!isUnread) {
        return isTaken ? own : fromRow(session, made, shown, reading);
      }
      const checked = await checkedByList(session, made, id);
      isDenied = checked.length === 0;
      return checked;
    }
    const tried = await readWith(session, made, reading.id, shown);
    isDenied = tried.isDenied;
    return tried.id === undefined ? fromRow(session, made, shown, reading) : [tried.id];
  };
  // What keeps reads from being made is not the record's: then its create's answer is all that there is to go by.
  const found = (await resultOrNull(look())) ?? [];
  const [first, ...further] = found.length > 0 || !isPlain || isDenied ? found : own;
  // What the body names is another record.
  const others = further.filter((one) => !isGiven(made, one));
  const places = [first, ...others].flatMap(
    (one) => shown.find((shownId) => shownId.id === one)?.place ?? placeOf(made.answer, one) ?? [],
  );
  return { id: first, others, places, of: made };
}

/** Whether the only id of its own stands in the object that names records of the run's. */
const isBesideReference = ({ answer, fingerprint }: Unidentified, shown: readonly ShownId[]): boolean => {
  const places = answer.unredacted(({ payload }) => referencesIn(payload, fingerprint).map(parentOf));
  return shown.some(({ isOwn, place }) => isOwn && places.includes(parentOf(place)));
};

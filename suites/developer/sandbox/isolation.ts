import type { JsonObject } from '../../../common/json.ts';
import { show } from '../../../common/schema.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Inconclusive } from '../../../results/stop.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../engine/parts.ts';
import { showsSomewhere } from '../../reading/own-words.ts';
import { idIn } from '../../reading/shown-ids.ts';
import { isUnguessable } from '../../reading/unguessable.ts';
import { nounOf } from '../../records/collections.ts';
import { begunAfter, readFirstPage } from '../../records/list-reading.ts';
import { readUntil } from '../../records/list-search.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { acceptedMark, refusedMark } from '../calls/bodies.ts';
import { twinOf, twinWith } from '../calls/twins.ts';
import { findCreation, listedCreation } from '../creations.ts';
import { comparedKeys, type EnvironmentKeys, keysOfBothEnvironments, type Reading } from '../environments.ts';
import { bookings, leads, vocabularies } from '../filters/documented.ts';
import { type RecordList, type RecordSet, readSet, readSets } from '../filters/lists.ts';
import { sharedRows } from '../rows.ts';

/** Lists whose records the two environments may not share. Each mode may choose the environment: one list shows that. */
const lists: readonly (RecordList & { readonly isReadInQuery?: true })[] = [
  { ...vocabularies.campaigns.list, isReadInQuery: true },
  { endpoint: 'GET /api/v1/investor/pipeline', noun: 'deal' },
  bookings,
  leads,
];

/** A write, and the list that shows what it creates. */
type WriteAndList = readonly [write: string, list: string];

const sandboxWrites: readonly WriteAndList[] = [
  ['POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
];

/** Sent with a live key where WRITES allows it: those that harm a live account least. */
const liveWrites = sandboxWrites.filter(([write]) => /audits|updates|generate/.test(write));

/** Neither environment shows anything of the other: no whole record, and nothing that this run created there. */
export const judgeIsolation: Check = async (session) => {
  const { sandbox, live } = await comparedKeys(session);
  const tally = createTally();
  await Promise.all([
    ...lists.map((list) => judgePart(tally, () => judgeRecords(session, tally, list))),
    ...sandboxWrites.map((one) => judgePart(tally, () => judgeSandboxCreation(session, tally, one))),
    ...liveWrites.map((one) => judgePart(tally, () => judgeLiveCreation(session, tally, one))),
  ]);
  return tally.outcome({ keys: [...sandbox.all, ...live.all].map(({ label }) => label) });
};

/** A list shows no record to both a sandbox key and a live key, whichever keys are compared. */
async function judgeRecords(session: Session, tally: Tally, list: (typeof lists)[number]): Promise<void> {
  const { endpoint } = list;
  const { sandbox, live } = await comparedKeys(session);
  const [bySandbox, byLive] = await Promise.all([
    setsSeenWith(session, list, sandbox),
    setsSeenWith(session, list, live),
  ]);
  const unreadable = bySandbox.every(({ entries }) => entries.length === 0)
    ? bySandbox[0]
    : byLive.every(({ pointer }) => pointer === undefined)
      ? byLive[0]
      : undefined;
  if (unreadable !== undefined) {
    const message = `${endpoint} shows no records to compare between sandbox and live`;
    throw undecided(unreadable.answer, message, endpointOf(endpoint).clause);
  }
  const rowsOf = ({ entries }: RecordSet): JsonObject[] => entries.map(({ row }) => row);
  const found = bySandbox
    .flatMap((one) => byLive.map((other) => ({ one, other, shared: sharedRows(rowsOf(one), rowsOf(other)) })))
    .find(({ shared }) => shared.length > 0);
  if (found === undefined) {
    tally.judge(null);
    return;
  }
  const { one, other, shared } = found;
  const [testKey, liveKey] = [one, other].map(({ answer }) => answer.exchange.keyLabel);
  tally.judge(
    findingOn(other.answer, {
      message: `${endpoint} shows the same ${shared.length} records to ${liveKey} and ${testKey}`,
      expected: 'no record of the sandbox for a live key',
      actual: show(shared[0]),
      cause: 'The list reads one environment whatever the key, or its query omits the environment',
    }),
  );
}

/**
 * A list as the keys of an environment see it: without parameters with each of them, and by each documented value of
 * its filters, as the filter clauses read it. A filter's query may leave the environment out, and shows records that
 * are on later pages of the whole list.
 */
async function setsSeenWith(
  session: Session,
  { isReadInQuery, ...list }: (typeof lists)[number],
  { all, madeOrGiven }: EnvironmentKeys,
): Promise<readonly RecordSet[]> {
  const reader = (await keysOfBothEnvironments(session, list.endpoint)).find((key) =>
    all.some(({ environment }) => environment === key.environment),
  );
  const filters = Object.values(vocabularies).filter((filter) => filter.list.endpoint === list.endpoint);
  const inQuery: Reading[] = isReadInQuery ? [{ key: madeOrGiven, mode: 'query' }] : [];
  const [plain, filtered] = await Promise.all([
    Promise.all([...all.map((key) => ({ key })), ...inQuery].map((reading) => readSet(session, list, reading))),
    Promise.all(filters.map(({ conditions }) => reader && readSets(session, list, conditions, { key: reader }))),
  ]);
  return [...plain, ...filtered.flatMap((sets) => sets?.parts ?? [])];
}

/** What a sandbox key creates is not shown to a live key. */
async function judgeSandboxCreation(session: Session, tally: Tally, [write, list]: WriteAndList): Promise<void> {
  const { answer } = await twinOf(session, write);
  if (!answer.accepted) {
    const message = `${write} creates nothing in the sandbox that a live key might see`;
    throw undecided(answer, message, endpointOf(write).clause);
  }
  const words = acceptedMark(session);
  const shows = showsCreation(answer, words, [write, list]);
  const readAs = (key: ApiKey): Promise<Answer> => send(session, list, { key });
  const { live } = await comparedKeys(session);
  const sandboxKey = requireKey(session, 'SANDBOX_API_KEY');
  let own = await readAs(sandboxKey);
  let isAbsent = false;
  if (!shows(own)) {
    // Looks on further pages, and creates it again where seeding deleted it.
    const creation = await resultOrNull(listedCreation(session, write, list));
    own = creation?.where === 'shown' ? creation.search.last : await readAs(sandboxKey);
    isAbsent = creation?.where === 'absent';
  }
  const others = await Promise.all(
    live.all.map((key) => readFirstPage(session, list, { key, reuse: begunAfter(session, answer) })),
  );
  if (isAbsent && !others.some(shows)) {
    others.push(await pageWith(session, list, { answer, words }, live.madeOrGiven));
  }
  judgeSeparate(tally, { own, others, shows }, words, {
    leak: `A live key sees in ${list} what a sandbox key created`,
    open: undecided(own, `${list} does not show what ${write} created, not even to the sandbox key`),
  });
}

/** What a live key creates is not shown to a sandbox key. Throws Skipped where WRITES forbids live writes. */
async function judgeLiveCreation(session: Session, tally: Tally, [write, list]: WriteAndList): Promise<void> {
  const { sandbox, live } = await comparedKeys(session);
  const [, writer] = await keysOfBothEnvironments(session, write);
  if (writer === undefined) {
    return;
  }
  const answer = await twinWith(session, write, writer);
  const words = refusedMark(session, writer.environment);
  const shows = showsCreation(answer, words, [write, list]);
  const reading = { key: live.madeOrGiven, reuse: begunAfter(session, answer) };
  const own = await readUntil(
    session,
    (attempt) => readFirstPage(session, list, attempt === 0 ? reading : { key: live.madeOrGiven }),
    shows,
  );
  let other = await send(session, list, { key: sandbox.madeOrGiven });
  if (answer.accepted && !shows(own) && !shows(other)) {
    other = await pageWith(session, list, { answer, words }, sandbox.madeOrGiven);
  }
  const message = `${list} does not show a live key what it created by ${write}: ${describeAnswer(answer)}`;
  judgeSeparate(tally, { own, others: [other], shows }, words, {
    leak: `A sandbox key sees in ${list} what a live key created`,
    cause: 'The write always goes to the sandbox, or stores no environment',
    open: undecided(own, message, endpointOf(write).clause),
  });
}

/**
 * Says of an answer whether it shows what a write made: its words or, since a deployment may keep other words, its id.
 * Not an id that can be guessed, or one of a write with another path than the list, which may name a record that
 * existed before.
 */
function showsCreation(answer: Answer, words: string, [write, list]: WriteAndList): (shown: Answer) => boolean {
  const noun = nounOf(list);
  const id = idIn(answer.payload, noun);
  const isNewRecords = id !== undefined && isUnguessable(id) && list === write.replace(/^POST/, 'GET');
  return ({ json }) => showsSomewhere(json, { tag: words, id: isNewRecords ? id : undefined }, noun);
}

/** Reads all pages of a list with a key until one shows the record, and gives the last one that was read. */
const pageWith = async (
  session: Session,
  list: string,
  created: { readonly answer: Answer; readonly words: string },
  reader: ApiKey,
): Promise<Answer> => (await findCreation(session, list, { ...created, keys: [reader, reader] })).search.last;

/** The list in the environment of a record, and the lists in the other one. */
interface BothLists {
  readonly own: Answer;
  readonly others: readonly Answer[];
  readonly shows: (answer: Answer) => boolean;
}

/** What is said where the other environment shows the record, and where neither does. */
interface SeparationTexts {
  readonly leak: string;
  readonly cause?: string;
  readonly open: Inconclusive;
}

/** No list of the other environment shows the record, and its own does. Throws `open` where none does. */
function judgeSeparate(tally: Tally, { own, others, shows }: BothLists, words: string, texts: SeparationTexts): void {
  const leak = others.find(shows);
  if (leak !== undefined) {
    tally.judge(
      findingOn(leak, {
        message: texts.leak,
        expected: `no record that contains ${words}`,
        actual: 'such a record',
        ...(texts.cause === undefined ? {} : { cause: texts.cause }),
      }),
    );
  } else if (shows(own) && others.some(({ accepted }) => accepted)) {
    tally.judge(null);
  } else {
    throw texts.open;
  }
}

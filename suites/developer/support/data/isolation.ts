import type { JsonObject } from '../../../../common/json.ts';
import { show } from '../../../../common/schema.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Inconclusive } from '../../../../results/stop.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { describeAnswer, findingOn, undecided } from '../../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey, KeyMode } from '../../../session/key.ts';
import { requireKey } from '../../../session/keys.ts';
import { showsSomewhere } from '../../../session/reading/own-words.ts';
import { idIn } from '../../../session/reading/shown-ids.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { readUntil } from '../../../shared/lists/list-search.ts';
import { read } from '../../../shared/reads.ts';
import { acceptedMark, refusedMark } from '../calls/bodies.ts';
import { twinOf, twinWith } from '../calls/twins.ts';
import { linesIn, listIn, sharedRows } from '../rows.ts';
import { listedCreation, lookedFor } from './creations.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { sides } from './sides.ts';

/** Lists whose records the two environments may not share. */
const lists = [
  ['GET /api/v1/ads/campaigns', 'campaign'],
  ['GET /api/v1/investor/pipeline', 'deal'],
  ['GET /api/v1/developer/export/bookings', 'booking'],
  ['GET /api/v1/developer/export/leads', 'lead'],
] as const;

/** What the sandbox key creates, and the list in which it shows. */
const creations = [
  ['POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
] as const;

/** What a live key creates where WRITES allows it: what harms a live account least. */
const liveCreations = creations.filter(([write]) => /audits|updates|generate/.test(write));

/** Nothing of one environment shows in the other: neither what this run created there nor any whole record. */
export const judgeIsolation: Check = async (session) => {
  const { sandbox, live } = await sides(session);
  const tally = createTally();
  await Promise.all([
    ...lists.map(([list, noun]) => judgePart(tally, () => judgeRecords(session, tally, list, noun))),
    ...creations.map((pair) => judgePart(tally, () => judgeCreated(session, tally, pair))),
    ...liveCreations.map((pair) => judgePart(tally, () => judgeCreatedLive(session, tally, pair))),
  ]);
  return tally.outcome({ keys: [...sandbox, ...live].map(({ label }) => label) });
};

/** A list as it is shown to a key; no rows where it cannot be read. */
interface Shown {
  readonly key: ApiKey;
  readonly answer: Answer;
  readonly rows: readonly JsonObject[] | undefined;
}

const shownTo = (
  session: Session,
  [endpoint, noun]: readonly [string, string],
  keys: readonly ApiKey[],
  mode?: KeyMode,
): Promise<Shown[]> =>
  Promise.all(
    keys.map(async (key) => {
      const answer = await read(session, endpoint, { key, ...(mode === undefined ? {} : { mode }) });
      const lines = linesIn(answer);
      const rows = listIn(answer, noun)?.rows ?? (lines.length > 0 ? lines : undefined);
      return { key, answer, rows: answer.accepted ? rows : undefined };
    }),
  );

/** Each key of the one side beside each of the other. */
async function judgeRecords(session: Session, tally: Tally, endpoint: string, noun: string): Promise<void> {
  const { sandbox, live } = await sides(session);
  // Each mode may choose the environment by itself: one list tells.
  const isTold = endpoint === lists[0][0];
  const inQuery = (keys: readonly ApiKey[]): Promise<Shown[]> =>
    shownTo(session, [endpoint, noun], isTold ? keys.slice(-1) : [], 'query');
  const [ours, theirs] = await Promise.all(
    [sandbox, live].map(async (keys) => [
      ...(await shownTo(session, [endpoint, noun], keys)),
      ...(await inQuery(keys)),
    ]),
  );
  const pairs = (ours ?? []).flatMap((one) => (theirs ?? []).map((other) => [one, other] as const));
  const comparable = pairs.filter(([one, other]) => (one.rows?.length ?? 0) > 0 && other.rows !== undefined);
  const found = comparable.find(([one, other]) => sharedRows(one.rows ?? [], other.rows ?? []).length > 0);
  if (comparable.length === 0) {
    const [one, other] = [ours?.[0], theirs?.[0]] as [Shown, Shown];
    const empty = (one.rows?.length ?? 0) === 0 ? one : other;
    const message = `${endpoint} shows no records to compare between sandbox and live`;
    throw undecided(empty.answer, message, endpointOf(endpoint).clause);
  }
  tally.judge(found === undefined ? null : sharedFinding(endpoint, ...found));
}

function sharedFinding(endpoint: string, ours: Shown, theirs: Shown): Finding {
  const shared = sharedRows(ours.rows ?? [], theirs.rows ?? []);
  return findingOn(theirs.answer, {
    message: `${endpoint} shows ${shared.length} records to ${theirs.key.label} that it shows to ${ours.key.label} too`,
    expected: 'no record of the sandbox for a live key',
    actual: show(shared[0]),
    cause: 'The list reads one environment whatever the key, or its query leaves the environment out',
  });
}

/** A write, and the list in which what it creates shows. */
type Pair = readonly [write: string, list: string];

/** What a sandbox key creates is not shown to a live key. */
async function judgeCreated(session: Session, tally: Tally, [write, list]: Pair): Promise<void> {
  const { answer } = await twinOf(session, write);
  if (!answer.accepted) {
    const message = `${write} creates nothing in the sandbox that a live key could be shown`;
    throw undecided(answer, message, endpointOf(write).clause);
  }
  const words = acceptedMark(session);
  const shows = showing(answer, words, [write, list]);
  const listAs = (key: ApiKey): Promise<Answer> => send(session, list, { key });
  const { live } = await sides(session);
  const sandboxKey = requireKey(session, 'SANDBOX_API_KEY');
  const first = await listAs(sandboxKey);
  // It was looked for, and made again where seeding took it.
  const looked = shows(first) ? null : await resultOrNull(listedCreation(session, write, list));
  const again = looked?.where === 'shown' ? looked.last : null;
  const own = shows(first) ? first : (again ?? (await listAs(sandboxKey)));
  const lives = await Promise.all(live.map(listAs));
  const isLost = looked?.where === 'absent' && !lives.some(shows);
  const further = isLost ? [await furtherPage(session, list, { answer, words }, live.at(-1) as ApiKey)] : [];
  judgeApart(tally, { own, others: [...lives, ...further], shows }, words, {
    leak: `Live key is shown on ${list} what a sandbox key created`,
    open: undecided(own, `${list} does not show what ${write} created, not even to the sandbox key`),
  });
}

/** What a live key creates is not shown to a sandbox key. Throws Skipped where WRITES keeps live data alone. */
async function judgeCreatedLive(session: Session, tally: Tally, [write, list]: Pair): Promise<void> {
  const { sandbox, live } = await sides(session);
  const [, writer] = await keysOfBothEnvironments(session, write);
  if (writer === undefined) {
    return;
  }
  const answer = await twinWith(session, write, writer);
  const words = refusedMark(session, writer.environment);
  const shows = showing(answer, words, [write, list]);
  // The keys that the run made have budgets of their own.
  const [there, here] = [live.at(-1), sandbox.at(-1)] as [ApiKey, ApiKey];
  const own = await readUntil(session, () => send(session, list, { key: there }), shows);
  const first = await send(session, list, { key: here });
  const isLost = answer.accepted && !shows(own) && !shows(first);
  const other = isLost ? await furtherPage(session, list, { answer, words }, here) : first;
  const message = `${list} does not show a live key what it created by ${write}: ${describeAnswer(answer)}`;
  judgeApart(tally, { own, others: [other], shows }, words, {
    leak: `Sandbox key is shown on ${list} what a live key created`,
    cause: 'The write stores whatever comes in the sandbox, or without its environment',
    open: undecided(own, message, endpointOf(write).clause),
  });
}

/**
 * Whether an answer shows what a POST made: its words, or its id for deployments that keep words of their own. Not an id that another
 * record may have: one that can be guessed, or of a POST whose records another path lists, which may tell of a record that was there.
 */
function showing(answer: Answer, words: string, [write, list]: Pair): (shown: Answer) => boolean {
  const id = idIn(answer.payload, nounOf(list));
  const isFresh = id !== undefined && isUnguessable(id) && list === write.replace(/^POST/, 'GET');
  return ({ json }) => showsSomewhere(json, { tag: words, id: isFresh ? id : undefined });
}

/** What the own list does not show may stand on a further page of the other side's. */
const furtherPage = async (
  session: Session,
  list: string,
  created: { readonly answer: Answer; readonly words: string },
  reader: ApiKey,
): Promise<Answer> => (await lookedFor(session, list, { ...created, keys: [reader, reader] })).last;

/** What one side created, its own list shows, and no list of the other. */
function judgeApart(
  tally: Tally,
  { own, others, shows }: { own: Answer; others: readonly Answer[]; shows: (shown: Answer) => boolean },
  words: string,
  { leak: message, cause, open }: { leak: string; cause?: string; open: Inconclusive },
): void {
  const leak = others.find(shows);
  if (leak === undefined && !(shows(own) && others.some(({ accepted }) => accepted))) {
    throw open;
  }
  const text = { message, expected: `nothing of ${words}`, actual: 'a record that holds it' };
  tally.judge(leak === undefined ? null : findingOn(leak, cause === undefined ? text : { ...text, cause }));
}

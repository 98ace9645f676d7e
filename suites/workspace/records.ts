import { isObject } from '../../common/json.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { notMet } from '../../results/drift.ts';
import { Inconclusive, Skipped, type Tally } from '../../results/outcome.ts';
import { type Checks, resultOrNull, stageOrNull } from '../engine/check.ts';
import { describeAnswer, findingOn, undecided } from '../engine/expect.ts';
import { nextPage } from '../reading/page.ts';
import { findMainList, rowsIn } from '../reading/rows.ts';
import { refusesBody } from '../records/bodies.ts';
import { nounOf, readUntil } from '../records/lists.ts';
import { read } from '../records/reads.ts';
import { type Answer, type CallDetails, isSuccess } from '../session/call.ts';
import { mainKey, type Session, send, step } from '../session/session.ts';
import { arrangeCall } from './calls.ts';
import { changing, type Kind, kinds, listing, reading } from './kinds.ts';
import { historyIn } from './stories/history.ts';
import { judgeChanged, judgeKept } from './stories/judge-changes.ts';
import { judgeDeletes } from './stories/judge-deletions.ts';
import { judgeCreates, judgeListed, judgeRead } from './stories/judge-records.ts';
import { detailView, recordStory } from './stories/record-story.ts';

/** Agents, leads and bookings: list, create, read, update, delete or cancel; and what is open about their lists. */
export const records: Checks = {
  'workspace.agents.list': judgeListed('agents'),
  'workspace.agents.create': judgeCreates('agents'),
  'workspace.agents.get': judgeRead('agents'),
  'workspace.agents.update': judgeChanged('agents'),
  'workspace.agents.update-keeps': judgeKept('agents'),
  'workspace.agents.delete': judgeDeletes('agents'),

  'workspace.leads.list': judgeListed('leads'),
  'workspace.leads.create': judgeCreates('leads'),
  'workspace.leads.get': judgeRead('leads'),
  'workspace.leads.history': judgeHistory,
  'workspace.leads.update': judgeChanged('leads'),
  'workspace.leads.update-keeps': judgeKept('leads'),
  'workspace.leads.filters': observeFilters,

  'workspace.bookings.list': judgeListed('bookings'),
  'workspace.bookings.create': judgeCreates('bookings'),
  'workspace.bookings.cancel': judgeDeletes('bookings'),

  'workspace.lists.pagination': observePagination,
  'workspace.requests.content-type': observeContentType,
};

/** The detail view of a changed lead shows a history. */
async function judgeHistory(session: Session, tally: Tally): Promise<unknown> {
  const view = await detailView(session, 'leads');
  // A lead that was not changed may rightly show none.
  const story = await resultOrNull(recordStory(session, 'leads'));
  const change = story && stageOrNull(story.change);
  const isChanged = change !== null && isSuccess(change.answer);
  const showsEntries = ({ json }: Answer): boolean => historyIn(json)?.isEmpty === false;
  // Its entry may take KEY_SETTLE_MS to show.
  const again = (): Promise<Answer> => send(session, reading('leads'), { id: view.id });
  const latest = isChanged ? change.later : view.answer;
  const answer = isChanged && !showsEntries(latest) ? await readUntil(session, again, showsEntries) : latest;
  if (!isSuccess(answer)) {
    throw undecided(answer, `Cannot read the lead: ${describeAnswer(answer)}`, endpointOf(reading('leads')).clause);
  }
  const found = historyIn(answer.json);
  if (found !== undefined && !(isChanged && found.isEmpty)) {
    tally.judge(null);
    return { place: found.pointer.replace(/\/\d+(?=\/|$)/g, '/*') };
  }
  if (found !== undefined) {
    // What a history tells is not shown: it may be calls and messages alone.
    throw undecided(answer, 'Reading a changed lead shows an empty history: it may tell of other things than changes');
  }
  if (!isChanged) {
    const message = 'Reading a lead shows no history, and a lead that was not changed need not have one';
    throw session.settings.WRITES === 'all'
      ? undecided(answer, message, endpointOf(changing('leads')).clause)
      : new Skipped(message, { setting: 'WRITES', value: 'all' });
  }
  const fields = Object.keys(isObject(answer.json) ? answer.json : {}).join(', ');
  tally.judge(
    findingOn(answer, {
      message: 'Reading a changed lead shows no history',
      expected: 'a history',
      actual: `the fields ${fields.slice(0, 200)}`,
      place: 'body',
    }),
  );
  return undefined;
}

/** The filters that are tried. */
const filterNames = ['status', 'source'];
/** A parameter that is surely no filter: what it gets, unknown names get. */
const noFilter = 'conformance_nothing';
/** A value that fits no lead. */
const noValue = 'conformance-none';

async function observeFilters(session: Session): Promise<Record<string, string>> {
  const story = await resultOrNull(recordStory(session, 'leads'));
  const listed = story && stageOrNull(story.listed);
  const unfiltered = listed?.first.first ?? (await read(session, listing('leads')));
  if (leadCount(unfiltered) === 0) {
    const message = `The list shows no lead that a filter could leave out: ${describeAnswer(unfiltered)}`;
    throw undecided(unfiltered, message, endpointOf(listing('leads')).clause);
  }
  const effects = await Promise.all(filterNames.map(async (name) => [name, await effectOf(session, name)] as const));
  // A filter that is ignored is an unknown parameter.
  const isAnyIgnored = effects.some(([, effect]) => effect === 'ignored');
  return { ...Object.fromEntries(effects), [noFilter]: isAnyIgnored ? 'ignored' : await effectOf(session, noFilter) };
}

/** What the list does with a parameter whose value fits no lead, in words. */
async function effectOf(session: Session, name: string): Promise<string> {
  const answer = await send(session, listing('leads'), { query: { [name]: noValue }, purpose: 'off-document' });
  if (refusesBody(answer)) {
    return 'refused';
  }
  if (!isSuccess(answer)) {
    return `answered with ${answer.status}`;
  }
  return leadCount(answer) === 0 ? 'honoured' : 'ignored';
}

const leadCount = ({ json }: Answer): number => rowsIn(json, 'lead')?.length ?? 0;

// How clients read lists differently from each other.

type Variation = Pick<CallDetails, 'headers' | 'query'>;

const withLimit: Variation = { query: { limit: 1 } };
const withoutType: Variation = { headers: { 'Content-Type': '' } };
/** With the header's name in lower case, as HTTP/2 and many clients send it. */
export const inLowerCase = (session: Session): Variation => ({
  headers: { Authorization: '', authorization: `Bearer ${mainKey(session).secret}` },
});

/** The leads, read in all these ways at once: where that is accepted, each of them is, and one call is enough. */
const readInAllWays = step(async (session): Promise<Answer> => {
  await session.api.prepareRead(session, endpointOf(listing('leads')));
  const headers = { ...withoutType.headers, ...inLowerCase(session).headers };
  return send(session, listing('leads'), { ...withLimit, headers, purpose: 'off-document' });
});

/** The answer to that read or, where it was not accepted, to one of a list in one of these ways alone. */
export async function readVaried(session: Session, variation: Variation, list = listing('leads')): Promise<Answer> {
  const all = await readInAllWays(session);
  return all.accepted ? all : send(session, list, { ...variation, purpose: 'off-document' });
}

/** What a read and a change without Content-Type get. */
async function observeContentType(session: Session): Promise<unknown> {
  const list = await readVaried(session, withoutType);
  const change = arrangeCall(session, endpointOf(changing('agents')));
  const changed = await resultOrNull(change.then((call) => call.attempt({ ...withoutType, purpose: 'off-document' })));
  const outcomeOf = (answer: Answer): string =>
    isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
  return {
    [listing('leads')]: outcomeOf(list),
    [changing('agents')]: changed === null ? notMet : outcomeOf(changed.answer),
  };
}

async function observePagination(session: Session): Promise<unknown> {
  const pages = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await read(session, listing(kind)) })));
  if (!pages.some(({ answer }) => isSuccess(answer))) {
    throw new Inconclusive({ message: 'No list could be read', blames: 'workspace.agents.list' });
  }
  const limited = await readVaried(session, withLimit);
  const all = leadCount(await read(session, listing('leads')));
  const effect = all < 2 ? 'unknown: too few rows' : leadCount(limited) < 2 ? 'honoured' : 'ignored';
  return {
    ...Object.fromEntries(pages.map((page) => [page.kind, shapeOfList(page.answer, page.kind)])),
    'limit=1': isSuccess(limited) ? effect : `gets ${limited.status}`,
    'limit=1 goes on by': nextPage(limited)?.style ?? null,
  };
}

/** Where a list is in its answer, and how it goes on; null: it cannot be read. */
function shapeOfList(answer: Answer, kind: Kind): unknown {
  const list = findMainList(answer.json, nounOf(kind));
  if (!isSuccess(answer) || list === undefined) {
    return null;
  }
  return { list: list.pointer || 'the whole body', next: nextPage(answer)?.style ?? null };
}

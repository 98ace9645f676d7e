import { show } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { notMet } from '../../results/drift.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { type Checks, resultOrNull, stageOrNull } from '../engine/check.ts';
import { describeAnswer, judgeThat, needAccepted, undecided } from '../engine/expect.ts';
import { nextPage } from '../reading/page.ts';
import { findMainList, rowsIn } from '../reading/rows.ts';
import { nounOf, read, readUntil } from '../records/reads.ts';
import { type Answer, type CallDetails, isSuccess } from '../session/call.ts';
import { mainKey, type Session, send, step } from '../session/session.ts';
import { arrangeCall } from './calls.ts';
import { changing, kinds, listing, reading } from './records/creating.ts';
import { historyIn } from './stories/history.ts';
import { judgeChanged, judgeKept } from './stories/judge-changes.ts';
import { judgeCreates, judgeDeletes, judgeListed, judgeRead } from './stories/judge-records.ts';
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
  // The detail view of a changed lead shows a history. A lead that was not changed may rightly show none.
  'workspace.leads.history': async (session, tally) => {
    const { id } = await detailView(session, 'leads');
    const story = await resultOrNull(recordStory(session, 'leads'));
    const change = story && stageOrNull(story.change);
    const isChanged = change !== null && isSuccess(change.answer);
    // It may take KEY_SETTLE_MS to show.
    const view = async (attempt: number): Promise<Answer> =>
      isChanged && attempt === 0 ? change.later : send(session, reading('leads'), { id });
    const answer = await readUntil(session, view, ({ json }) => historyIn(json) !== undefined);
    needAccepted(answer, 'Cannot read the lead', endpointOf(reading('leads')).clause);
    const place = historyIn(answer.json);
    if (place === undefined && !isChanged) {
      // Throws where it was not tried.
      (await recordStory(session, 'leads')).change();
      const message = 'Reading a lead shows no history, and a lead that was not changed need not have one';
      throw undecided(answer, message, endpointOf(changing('leads')).clause);
    }
    judgeThat(tally, place !== undefined, answer, {
      message: 'Reading a changed lead shows no history',
      expected: 'a history',
      actual: show(answer.json, 200),
      place: 'body',
    });
    return place && { place: place.replace(/\/\d+(?=\/|$)/g, '/*') };
  },
  'workspace.leads.update': judgeChanged('leads'),
  'workspace.leads.update-keeps': judgeKept('leads'),
  'workspace.leads.filters': async (session) => {
    const story = await resultOrNull(recordStory(session, 'leads'));
    const listed = story && stageOrNull(story.listed);
    const unfiltered = listed?.first.first ?? (await read(session, listing('leads')));
    if (leadCount(unfiltered) === 0) {
      const message = `The list shows no lead that a filter could leave out: ${describeAnswer(unfiltered)}`;
      throw undecided(unfiltered, message, endpointOf(listing('leads')).clause);
    }
    const effectOf = async (name: string): Promise<string> => {
      // A value that fits no lead.
      const answer = await readList(session, { query: { [name]: 'conformance-none' } });
      const effect = leadCount(answer) === 0 ? 'honoured' : 'ignored';
      return isSuccess(answer) ? effect : `refused with ${answer.status}`;
    };
    const effects = await Promise.all(filterNames.map(async (name) => [name, await effectOf(name)] as const));
    const isAnyIgnored = effects.some(([, effect]) => effect === 'ignored');
    return { ...Object.fromEntries(effects), [noFilter]: isAnyIgnored ? 'ignored' : await effectOf(noFilter) };
  },

  'workspace.bookings.list': judgeListed('bookings'),
  'workspace.bookings.create': judgeCreates('bookings'),
  'workspace.bookings.cancel': judgeDeletes('bookings'),

  'workspace.lists.pagination': async (session) => {
    const pages = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await read(session, listing(kind)) })));
    if (!pages.some(({ answer }) => isSuccess(answer))) {
      throw new Inconclusive({ message: 'No list could be read', blames: 'workspace.agents.list' });
    }
    const limited = await readVaried(session, withLimit);
    const all = leadCount(await read(session, listing('leads')));
    const effect = all < 2 ? 'unknown: too few rows' : leadCount(limited) < 2 ? 'honoured' : 'ignored';
    // Where a list is in its answer, and how it goes on; null: it cannot be read.
    const shapes = pages.map(({ kind, answer }) => {
      const list = isSuccess(answer) ? findMainList(answer.json, nounOf(kind)) : undefined;
      return [kind, list ? { list: list.pointer || 'the whole body', next: nextPage(answer)?.style ?? null } : null];
    });
    return {
      ...Object.fromEntries(shapes),
      'limit=1': isSuccess(limited) ? effect : `gets ${limited.status}`,
      'limit=1 goes on by': nextPage(limited)?.style ?? null,
    };
  },
  // What a read and a change without Content-Type get.
  'workspace.requests.content-type': async (session) => {
    const list = await readVaried(session, withoutType);
    const change = arrangeCall(session, endpointOf(changing('agents')));
    const changed = await resultOrNull(
      change.then((call) => call.attempt({ ...withoutType, purpose: 'off-document' })),
    );
    const outcomeOf = (answer: Answer): string =>
      isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
    return {
      [listing('leads')]: outcomeOf(list),
      [changing('agents')]: changed === null ? notMet : outcomeOf(changed.answer),
    };
  },
};

/** The filters that are tried. */
const filterNames = ['status', 'source'];
/** A parameter that is surely none: what it gets, unknown names get. A filter that is ignored is unknown. */
const noFilter = 'conformance_nothing';

const leadCount = ({ json }: Answer): number => rowsIn(json, 'lead')?.length ?? 0;

type Way = Pick<CallDetails, 'headers' | 'query'>;

/** A list, read in a way that is not documented. */
const readList = (session: Session, way: Way, list = listing('leads')): Promise<Answer> =>
  send(session, list, { ...way, purpose: 'off-document' });

const withLimit = { query: { limit: 1 } };
const withoutType = { headers: { 'Content-Type': '' } };
/** With the header's name in lower case, as HTTP/2 and many clients send it. */
const inLowerCase = (session: Session) => ({
  headers: { Authorization: '', authorization: `Bearer ${mainKey(session).secret}` },
});

/** The leads, read in all these ways at once: where that is accepted, each of them is, and one call is enough. */
const readInAllWays = step(async (session) => {
  await session.api.readBefore(session, endpointOf(listing('leads')));
  return readList(session, { ...withLimit, headers: { ...withoutType.headers, ...inLowerCase(session).headers } });
});

/** The answer to that read or, where it was not accepted, to one of a list in this way alone. */
async function readVaried(session: Session, way: Way, list?: string): Promise<Answer> {
  const all = await readInAllWays(session);
  return all.accepted ? all : readList(session, way, list);
}

/** A read of a list, or of the leads, with the name of the header in lower case. */
export const readInLowerCase = (session: Session, list: string): Promise<Answer> =>
  readVaried(session, inLowerCase(session), list);

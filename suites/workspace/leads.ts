import { isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Skipped, type Tally } from '../../results/outcome.ts';
import { type Checks, resultOrNull, stageOrNull } from '../engine/check.ts';
import { describeAnswer, findingOn, undecided } from '../engine/expect.ts';
import { rowsIn } from '../reading/rows.ts';
import { refusesBody } from '../records/bodies.ts';
import { readUntil } from '../records/lists.ts';
import { read } from '../records/reads.ts';
import { type Answer, isSuccess } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { changing, listing, reading } from './kinds.ts';
import { firstRecord } from './records/run-records.ts';
import { detailView } from './stories/detail-view.ts';
import { historyIn, namedHistories } from './stories/history.ts';
import { judgeChanged, judgeKept } from './stories/judge-changes.ts';
import { judgeCreated, judgeListed, judgeRead } from './stories/judge-records.ts';
import { recordStory } from './stories/record-story.ts';

/** Leads: list, create, read with history, update, filters. */
export const leads: Checks = {
  'workspace.leads.list': judgeListed('leads'),
  'workspace.leads.create': async (session, tally) => judgeCreated(tally, await firstRecord(session, 'leads')),
  'workspace.leads.get': judgeRead('leads'),
  'workspace.leads.history': judgeHistory,
  'workspace.leads.update': judgeChanged('leads'),
  'workspace.leads.update-keeps': judgeKept('leads'),
  'workspace.leads.filters': observeFilters,
};

/** The detail view of a changed lead shows a history, and that is not empty. */
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
  if (!isChanged && session.settings.WRITES !== 'all') {
    throw new Skipped(
      'Reading a lead shows no history, and a lead that was never changed need not have one: set WRITES=all',
      {
        setting: 'WRITES',
        value: 'all',
      },
    );
  }
  if (!isChanged) {
    const message = 'Reading a lead shows no history, but no update succeeded that it could show';
    throw undecided(answer, message, endpointOf(changing('leads')).clause);
  }
  const fields = Object.keys(isObject(answer.json) ? answer.json : {}).join(', ');
  const [named] = namedHistories(answer.json);
  const none =
    named === undefined
      ? `no field of ${reading('leads')} is named like one, and none is a list of dated entries`
      : `${named.pointer} in ${reading('leads')} is ${show(named.value, 60)}`;
  tally.judge(
    findingOn(answer, {
      message:
        found === undefined
          ? `Reading a lead shows no history: ${none}`
          : `The history of a lead stays empty: ${found.pointer} in ${reading('leads')}, although the lead was changed`,
      expected: 'a history with an entry',
      actual: found === undefined ? `the fields ${fields.slice(0, 200)}` : 'none',
      place: found?.pointer ?? 'body',
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

async function observeFilters(session: Session): Promise<unknown> {
  const story = await resultOrNull(recordStory(session, 'leads'));
  const listed = story && stageOrNull(story.listed);
  const unfiltered = listed?.first.first ?? (await read(session, listing('leads')));
  if (leadCount(unfiltered) === 0) {
    const message = `The list shows no lead that a filter could leave out: ${describeAnswer(unfiltered)}`;
    throw undecided(unfiltered, message, endpointOf(listing('leads')).clause);
  }
  const effects = await Promise.all(filterNames.map(async (name) => [name, await effectOf(session, name)] as const));
  const withEffect = (wanted: string): string[] =>
    effects.flatMap(([name, effect]) => (effect === wanted ? [name] : []));
  return {
    honoured: withEffect('honoured'),
    ignored: withEffect('ignored'),
    refused: withEffect('refused'),
    // A filter that is ignored is an unknown parameter.
    'unknown parameters': withEffect('ignored').length > 0 ? 'ignored' : await effectOf(session, noFilter),
    other: Object.fromEntries(effects.filter(([, effect]) => !['honoured', 'ignored', 'refused'].includes(effect))),
  };
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

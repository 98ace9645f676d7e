import { findLists, isObject, walk } from '../../common/json.ts';
import { judged, type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { cameOf, findingOn } from '../engine/expect.ts';
import { settled } from '../engine/partly.ts';
import { type Answer, callOf } from '../session/call.ts';
import { changed, judgeChanged } from './changes.ts';
import { changing, listing, reading } from './endpoints.ts';
import { rowsOf } from './lists.ts';
import { main, refusesBody, succeeded } from './records.ts';
import { details, judgeCreated, judgeListed, judgeRead } from './records-judged.ts';
import type { WorkspaceSession } from './session.ts';

const historyName = /histor|activit|timeline|event|audit|interaction|journey|trail|changes|log(s|book)?$/i;

/** Where a detail view keeps its history: a list or object named like one, or a list of records that says more than a name. */
export function historyIn({ json }: Pick<Answer, 'json'>): string | undefined {
  const named = walk(json).find(
    ({ name, value }) => historyName.test(name) && typeof value === 'object' && value !== null,
  );
  const records = findLists(json).find(
    ({ rows, pointer }) => pointer !== '' && rows.length > 0 && rows.every((row) => Object.values(row).some(isMoment)),
  );
  return named?.pointer ?? records?.pointer;
}

const isMoment = (value: unknown): boolean =>
  (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) || (typeof value === 'number' && value > 1e9);

async function judgeHistory(session: WorkspaceSession): Promise<Outcome> {
  // A changed lead has a history for certain; one that nothing happened to may show none.
  await settled(changed(session, 'leads'));
  const change = await changed(session, 'leads').catch(() => null);
  const known = change !== null && succeeded(change.answer);
  const answer = known && succeeded(change.later) ? change.later : (await details(session, 'leads')).answer;
  if (!succeeded(answer)) {
    throw new Inconclusive(
      findingOn(answer, { message: `Lead cannot be read: ${cameOf(answer)}`, blames: reading('leads').clause }),
    );
  }
  const place = historyIn(answer);
  if (place === undefined && !known) {
    throw new Inconclusive(
      findingOn(answer, {
        message: "No history is shown of a lead, and none of the run's changes was taken that it could tell of",
        blames: changing('leads').clause,
      }),
    );
  }
  return {
    ...judged(
      place !== undefined
        ? null
        : findingOn(answer, {
            message: `Detail view of a lead shows no history: no field of ${reading('leads').id} is named like one, and none lists dated records`,
            expected: 'a history',
            actual: `the fields ${Object.keys(isObject(answer.json) ? answer.json : {})
              .join(', ')
              .slice(0, 200)}`,
            place: 'body',
          }),
    ),
    ...(place === undefined ? {} : { observed: { place: place.replace(/\/\d+(?=\/|$)/g, '/*') } }),
  };
}

/** Filter names worth trying, and one that is surely none: what it gets, unknown names get. */
const filterNames = ['status', 'source', 'email', 'search', 'q', 'filter[status]', 'filter[source]'] as const;
const noFilter = 'conformance_nothing';

const countOf = (list: Answer): number => rowsOf(list, 'leads')?.length ?? 0;

/** What a list does with a parameter whose value fits no lead. */
async function effectOf(session: WorkspaceSession, name: string, whole: Answer): Promise<string> {
  const answer = await session.client.send(
    callOf(listing('leads'), session.key, { query: { [name]: 'conformance-none' }, purpose: 'off-document' }),
  );
  if (refusesBody(answer)) {
    return 'refused';
  }
  if (!succeeded(answer)) {
    return `answered with ${answer.status}`;
  }
  const [rows, all] = [countOf(answer), countOf(whole)];
  return rows === all ? 'ignored' : rows === 0 ? 'honoured' : 'changes the list';
}

async function observeFilters(session: WorkspaceSession): Promise<Outcome> {
  // A list without a lead would be empty under every filter.
  await settled(main(session, 'leads'));
  const whole = await session.client.send(callOf(listing('leads'), session.key));
  if (countOf(whole) === 0) {
    throw new Inconclusive(
      findingOn(whole, {
        message: `No lead is listed that a filter could leave out: ${cameOf(whole)}`,
        blames: listing('leads').clause,
      }),
    );
  }
  const [unknown, ...named] = await Promise.all([
    effectOf(session, noFilter, whole),
    ...filterNames.map(async (name) => [name, await effectOf(session, name, whole)] as const),
  ]);
  const by = (effect: string): string[] => named.filter(([, one]) => one === effect).map(([name]) => name);
  return observed({
    honoured: by('honoured'),
    ignored: by('ignored'),
    refused: by('refused'),
    'unknown parameters': unknown,
    other: Object.fromEntries(named.filter(([, one]) => !['honoured', 'ignored', 'refused'].includes(one))),
  });
}

/** Leads: list, create, read with history, update, filters. */
export const leads: Checks<WorkspaceSession> = {
  'workspace.leads.list': (session) => judgeListed(session, 'leads', () => main(session, 'leads')),
  'workspace.leads.create': async (session) => judgeCreated(await main(session, 'leads')),
  'workspace.leads.get': (session) => judgeRead(session, 'leads'),
  'workspace.leads.history': judgeHistory,
  'workspace.leads.update': (session) => judgeChanged(session, 'leads'),
  'workspace.leads.filters': observeFilters,
};

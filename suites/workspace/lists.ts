import { endpointOf } from '../../contract/endpoints.ts';
import { notMet } from '../../results/drift.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { type Checks, resultOrNull } from '../engine/check.ts';
import { nextPage } from '../reading/page.ts';
import { findMainList, rowsIn } from '../reading/rows.ts';
import { nounOf } from '../records/lists.ts';
import { read } from '../records/reads.ts';
import { type Answer, isSuccess } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { arrangeCall } from './calls.ts';
import { changing, type Kind, kinds, listing } from './kinds.ts';

/** What the document leaves open about lists and requests. */
export const lists: Checks = {
  'workspace.lists.pagination': observePagination,
  'workspace.requests.content-type': observeContentType,
};

/** What a read and a change without Content-Type get. */
async function observeContentType(session: Session): Promise<unknown> {
  const withoutType = { headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;
  const list = await send(session, listing('leads'), withoutType);
  const change = await resultOrNull(arrangeCall(session, endpointOf(changing('agents'))));
  const changed = await change?.attempt(withoutType);
  const outcomeOf = (answer: Answer): string =>
    isSuccess(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;
  return {
    [listing('leads')]: outcomeOf(list),
    [changing('agents')]: changed === undefined ? notMet : outcomeOf(changed.answer),
  };
}

async function observePagination(session: Session): Promise<unknown> {
  const pages = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await read(session, listing(kind)) })));
  if (!pages.some(({ answer }) => isSuccess(answer))) {
    throw new Inconclusive({ message: 'No list could be read', blames: 'workspace.agents.list' });
  }
  const all = rowCount(await read(session, listing('leads')));
  const limited = await send(session, listing('leads'), { query: { limit: 1 }, purpose: 'off-document' });
  const effect = all < 2 ? 'unknown: too few rows' : rowCount(limited) < 2 ? 'honoured' : 'ignored';
  return {
    ...Object.fromEntries(pages.map((page) => [page.kind, shapeOfList(page.answer, page.kind)])),
    'limit=1': isSuccess(limited) ? effect : `gets ${limited.status}`,
    'limit=1 goes on by': nextPage(limited)?.style ?? null,
  };
}

const rowCount = ({ json }: Answer): number => rowsIn(json, 'lead')?.length ?? 0;

/** Where a list is in its answer, and how it goes on; null: it cannot be read. */
function shapeOfList(answer: Answer, kind: Kind): unknown {
  const list = findMainList(answer.json, nounOf(kind));
  if (!isSuccess(answer) || list === undefined) {
    return null;
  }
  return { list: list.pointer || 'the whole body', next: nextPage(answer)?.style ?? null };
}

import { endpointOf } from '../../contract/endpoints.ts';
import { notMet } from '../../results/drift.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { type Checks, resultOrNull } from '../engine/check.ts';
import { nextPage } from '../reading/page.ts';
import { findMainList, rowsIn } from '../reading/rows.ts';
import { nounOf } from '../records/lists.ts';
import { read } from '../records/reads.ts';
import { type Answer, type CallDetails, isSuccess } from '../session/call.ts';
import { mainKey, type Session, send, step } from '../session/session.ts';
import { arrangeCall } from './calls.ts';
import { changing, type Kind, kinds, listing } from './kinds.ts';

/** What the document leaves open about lists and requests. */
export const lists: Checks = {
  'workspace.lists.pagination': observePagination,
  'workspace.requests.content-type': observeContentType,
};

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
  const change = await resultOrNull(arrangeCall(session, endpointOf(changing('agents'))));
  const changed = await change?.attempt({ ...withoutType, purpose: 'off-document' });
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
  const limited = await readVaried(session, withLimit);
  const all = rowCount(await read(session, listing('leads')));
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

import { findMainList, isObject, walk } from '../../common/json.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { type Answer, callOf } from '../session/call.ts';
import { nextPage } from '../session/pages.ts';
import { kinds, listing, nounOf } from './endpoints.ts';
import { firstPage, rowsOf } from './lists.ts';
import { likeness, main, post, succeeded } from './records.ts';
import type { WorkspaceSession } from './session.ts';

/** Where a list stands in its answer, what stands beside it, and how it goes on. */
function shapeOfList(answer: Answer, kind: Kind): unknown {
  const list = findMainList(answer.json, nounOf(kind));
  if (!succeeded(answer) || list === undefined) {
    return null;
  }
  const others = walk(answer.json).filter(
    ({ pointer, value }) => !`${pointer}/`.startsWith(`${list.pointer}/`) && !isObject(value),
  );
  return {
    list: list.pointer || 'the whole body',
    beside: others.map(({ pointer }) => pointer).sort(),
    next: nextPage(answer)?.style ?? null,
    link: answer.header('Link') !== null,
  };
}

async function observePagination(session: WorkspaceSession): Promise<Outcome> {
  const pages = await Promise.all(kinds.map(async (kind) => [kind, await firstPage(session, kind)] as const));
  const fullest = pages
    .filter(([, answer]) => succeeded(answer))
    .sort(([a, one], [b, other]) => countIn(other, b) - countIn(one, a))[0];
  if (fullest === undefined) {
    throw new Inconclusive({ message: 'No list could be read', blames: 'workspace.agents.list' });
  }
  const [kind, whole] = fullest;
  const one = await session.client.send(
    callOf(listing(kind), session.key, { query: { limit: 1 }, purpose: 'off-document' }),
  );
  return observed({
    ...Object.fromEntries(pages.map(([name, answer]) => [name, shapeOfList(answer, name)])),
    'limit=1': succeeded(one) ? honoured(countIn(one, kind), countIn(whole, kind)) : `gets ${one.status}`,
    'limit=1 goes on by': nextPage(one)?.style ?? null,
  });
}

const countIn = (answer: Answer, kind: Kind): number => rowsOf(answer, kind)?.length ?? 0;

function honoured(rows: number, all: number): string {
  if (all < 2) {
    return 'not told by so few rows';
  }
  return rows < 2 ? 'honoured' : 'ignored';
}

const untyped = { headers: { 'Content-Type': '' }, purpose: 'off-document' } as const;

async function observeContentType(session: WorkspaceSession): Promise<Outcome> {
  const read = await session.client.send(callOf(listing('agents'), session.key, untyped));
  return observed({ [listing('agents').id]: shown(read), 'POST /v1/agents': await untypedCreate(session) });
}

async function untypedCreate(session: WorkspaceSession): Promise<string> {
  try {
    const twin = await main(session, 'agents');
    if (!succeeded(twin.answer)) {
      return 'not tried: no body is known that is taken';
    }
    const { tag, body } = likeness(session, twin);
    return shown((await post(session, 'agents', body, tag, untyped)).answer);
  } catch (error) {
    if (error instanceof Skipped || error instanceof Inconclusive) {
      return `not tried: ${error.message}`;
    }
    throw error;
  }
}

const shown = (answer: Answer): string =>
  succeeded(answer) ? `accepted with ${answer.status}` : `refused with ${answer.status}`;

/** What the document leaves open about lists and requests. */
export const requests: Checks<WorkspaceSession> = {
  'workspace.lists.pagination': observePagination,
  'workspace.requests.content-type': observeContentType,
};

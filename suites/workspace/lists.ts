import { isObject, walk } from '../../common/json.ts';
import { type Outcome, observed } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { findMainList } from '../reading/main-list.ts';
import { nextPage } from '../reading/page.ts';
import { rowsIn } from '../reading/rows.ts';
import { nounOf } from '../records/collections.ts';
import { read } from '../records/reads.ts';
import { type Answer, isSuccess } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import type { Kind } from './kinds.ts';
import { kinds, listing } from './kinds.ts';
import { readVaried, withLimit } from './varied-read.ts';

/** What the document leaves open about lists. */
export const lists: Checks = {
  'workspace.lists.pagination': observePagination,
};

async function observePagination(session: Session): Promise<Outcome> {
  const pages = await Promise.all(kinds.map(async (kind) => ({ kind, answer: await read(session, listing(kind)) })));
  const leads = pages.find(({ kind }) => kind === 'leads')?.answer;
  if (leads === undefined || !pages.some(({ answer }) => isSuccess(answer))) {
    throw new Inconclusive({ message: 'No list could be read', blames: 'workspace.agents.list' });
  }
  const limited = await readVaried(session, withLimit);
  return observed({
    ...Object.fromEntries(pages.map((page) => [page.kind, shapeOfList(page.answer, page.kind)])),
    'limit=1': isSuccess(limited) ? effectOfLimit(rowCount(limited), rowCount(leads)) : `gets ${limited.status}`,
    'limit=1 goes on by': nextPage(limited)?.style ?? null,
  });
}

const rowCount = ({ json }: Answer): number => rowsIn(json, 'lead')?.length ?? 0;

function effectOfLimit(rows: number, all: number): string {
  if (all < 2) {
    return 'unknown: too few rows';
  }
  return rows < 2 ? 'honoured' : 'ignored';
}

/** Where a list is in its answer, the fields beside it, and how it goes on; null: it cannot be read. */
function shapeOfList(answer: Answer, kind: Kind): unknown {
  const list = findMainList(answer.json, nounOf(kind));
  if (!isSuccess(answer) || list === undefined) {
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

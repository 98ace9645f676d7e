import { findMainList, type JsonObject } from '../../common/json.ts';
import type { Kind } from '../../fixtures/workspace-bodies.ts';
import { type Answer, callOf } from '../session/call.ts';
import { type Page, pagesOf } from '../session/pages.ts';
import { listing, nounOf } from './endpoints.ts';
import { isRecord } from './identity.ts';
import { secretsIn } from './secrets.ts';
import type { WorkspaceSession } from './session.ts';

/** The rows of a list answer; undefined where no list can be found in it. */
export function rowsOf(answer: Answer, kind: Kind): readonly JsonObject[] | undefined {
  return findMainList(answer.json, nounOf(kind))?.rows;
}

/** The first page of a list, read once a run: for what any answer of the call can tell. */
export const firstPage = (session: WorkspaceSession, kind: Kind): Promise<Answer> =>
  session.once(listing(kind).id, () => session.client.send(callOf(listing(kind), session.key, { secretsIn })));

/** How long a read may take to show what was written, before it is made once more. */
const settleMs = 1_000;

/** A read that follows on the heels of a write; and one in which what was written moves from page to page meanwhile. */
const moreReads = 2;

/** Reads; and again a second later, where the answer does not show what was written. */
export async function untilShown<T>(
  session: WorkspaceSession,
  read: () => Promise<T>,
  shown: (answer: T) => boolean,
): Promise<T> {
  let answer = await read();
  for (let count = 0; count < moreReads && !shown(answer); count += 1) {
    await session.clock.sleep(settleMs);
    answer = await read();
  }
  return answer;
}

/** What looking for a record in a list came to. */
export interface Sighting {
  /** The answers that were read; never empty. */
  readonly answers: readonly [Answer, ...Answer[]];
  readonly last: Answer;
  readonly found: JsonObject | undefined;
  /** All of the list was seen, as far as its answers tell. */
  readonly complete: boolean;
  /** No list with anything in it could be found in the first answer. */
  readonly shapeless: boolean;
}

/** Reads a list anew and looks for a record, on the further pages too that the answers show. */
export async function lookFor(
  session: WorkspaceSession,
  kind: Kind,
  record: { readonly id: string | undefined; readonly tag: string },
): Promise<Sighting> {
  const call = callOf(listing(kind), session.key, { secretsIn });
  const first = await session.client.send(call);
  const rowIn = ({ answer }: Page): JsonObject | undefined =>
    rowsOf(answer, kind)?.find((row) => isRecord(row, kind, record));
  const pages: Page[] = [];
  for await (const page of pagesOf(session, call, first)) {
    pages.push(page);
    if (rowIn(page) !== undefined) {
      break;
    }
  }
  // The first page always comes.
  const last = pages.at(-1) as Page;
  return {
    answers: pages.map(({ answer }) => answer) as [Answer, ...Answer[]],
    last: last.answer,
    found: rowIn(last),
    complete: last.complete,
    shapeless: !rowsOf(first, kind)?.length,
  };
}

import { endpointOf } from '../../contract/endpoints.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { Answer } from '../session/answer.ts';
import { type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { type Page, pagesOf } from './pages.ts';

/** One reading of a list, which several callers may share. A page is read when the first of them asks for it. */
type ListReading = ReturnType<typeof beginReading>;

/** Whether an earlier reading is recent enough to be used again. */
export type MayReuse = (reading: ListReading) => boolean;

/** A reading may be used again that began after all calls for which `isOne` holds: it shows their effects. */
export const begunAfterAll =
  ({ evidence }: Session, isOne: (exchange: Exchange) => boolean): MayReuse =>
  ({ ended }) =>
    !evidence.exchanges.slice(ended).some(isOne);

/** A reading may be used again that began after these answers had come. */
export function begunAfter(session: Session, ...answers: readonly Answer[]): MayReuse {
  const numbers = new Set(answers.map(({ exchange }) => exchange.number));
  return begunAfterAll(session, ({ number }) => numbers.has(number));
}

/** The latest reading of each list. */
const latest = stepFor(
  (list: string, key: ApiKey) => `${list} ${key.label}`,
  async (): Promise<{ reading?: ListReading }> => ({}),
);

/** How a list is read. */
export interface ListOptions {
  /** Default: the main key. */
  readonly key?: ApiKey;
  /** Whether the latest reading may be used again. Default: it may not. */
  readonly reuse?: MayReuse;
}

/** Reads a list, `GET /v1/agents`, or gives its latest reading where that may be used again. */
export async function readList(
  session: Session,
  list: string,
  { key = mainKey(session), reuse = () => false }: ListOptions = {},
): Promise<ListReading> {
  const kept = await latest(session, list, key);
  if (kept.reading === undefined || kept.reading.isBroken || !reuse(kept.reading)) {
    kept.reading = beginReading(session, callOf(endpointOf(list), key));
  }
  return kept.reading;
}

function beginReading(session: Session, call: Call) {
  let isBroken = false;
  const walk = (async function* () {
    yield* pagesOf(session.client, call, await session.client.send(call));
  })();
  const pageAt = stepFor(
    (index: number) => String(index),
    () =>
      walk.next().catch((error: unknown) => {
        isBroken = true;
        throw error;
      }),
  );
  return {
    /** Epoch milliseconds at which it began. */
    at: session.clock.now(),
    /** How many exchanges had ended by then. */
    ended: session.evidence.exchanges.length,
    /** Whether a page could not be read: the run was stopped, say. */
    get isBroken(): boolean {
      return isBroken;
    },
    /** The pages, as far as the answers show how to get on. The first page always comes. */
    async *pages(): AsyncGenerator<Page> {
      for (let index = 0; ; index += 1) {
        const { done, value } = await pageAt(session, index);
        if (done === true) {
          return;
        }
        yield value;
      }
    },
  };
}

/** The first page of a list. */
export async function readFirstPage(session: Session, list: string, options: ListOptions): Promise<Answer> {
  const { value } = await (await readList(session, list, options)).pages().next();
  return value.answer;
}

/** The pages of a list, as far as its answers show how to get on. */
export async function readPages(
  session: Session,
  list: string,
  { most = Infinity, ...options }: ListOptions & { readonly most?: number } = {},
): Promise<readonly Answer[]> {
  const pages: Answer[] = [];
  for await (const { answer } of (await readList(session, list, options)).pages()) {
    pages.push(answer);
    if (pages.length >= most) {
      break;
    }
  }
  return pages;
}

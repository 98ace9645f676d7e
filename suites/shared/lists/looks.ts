import { endpointOf } from '../../../contract/endpoints.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Answer } from '../../session/answer.ts';
import { askFor, attributeToStep, type Begun } from '../../session/attribution.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import { type Page, pagesOf } from '../../session/reading/pages.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';

/** One reading of a list: several may look for something in it. A page is read when the first of them asks for it. */
interface Look {
  /** Epoch milliseconds at which it began. */
  readonly at: number;
  /** How many exchanges had ended by then. */
  readonly ended: number;
  /** The pages, as far as the answers show the way. The first one always comes. */
  pages(): AsyncGenerator<Page>;
}

/** Whether an earlier look may be used again. */
export type Reuse = (look: Look) => boolean;

/** One that began when all such calls had been answered: it shows what they did. */
export const afterAll =
  ({ evidence }: Session, isOne: (exchange: Exchange) => boolean): Reuse =>
  ({ ended }) =>
    !evidence.exchanges.slice(ended).some(isOne);

/** One that began when these answers had come. */
export function after(session: Session, ...answers: readonly Answer[]): Reuse {
  const numbers = new Set(answers.map(({ exchange }) => exchange.number));
  return afterAll(session, ({ number }) => numbers.has(number));
}

/** The latest look at each list. */
const latest = stepFor(
  (list: string, key: ApiKey) => `${list} ${key.label}`,
  async (): Promise<{ look?: Look }> => ({}),
);

/** How a list is looked into. */
export interface Looking {
  /** Default: the main key. */
  readonly key?: ApiKey;
  /** Whether the latest look may be used again. Default: it may not. */
  readonly reuse?: Reuse;
}

/** Looks into a list, `GET /v1/agents`. */
export async function lookInto(
  session: Session,
  list: string,
  { key = mainKey(session), reuse = () => false }: Looking = {},
): Promise<Look> {
  const kept = await latest(session, list, key);
  if (kept.look === undefined || !reuse(kept.look)) {
    kept.look = begin(session, callOf(endpointOf(list), key));
  }
  return kept.look;
}

function begin(session: Session, call: Call): Look {
  const read: Begun<IteratorResult<Page>>[] = [];
  const walk = (async function* () {
    yield* pagesOf(session.client, call, await session.client.send(call));
  })();
  const pageAt = (index: number): Promise<IteratorResult<Page>> => {
    const known = read[index];
    if (known !== undefined) {
      askFor(known.caller);
      return known.result;
    }
    const begun = attributeToStep(() => walk.next());
    read.push(begun);
    return begun.result;
  };
  return {
    at: session.clock.now(),
    ended: session.evidence.exchanges.length,
    async *pages() {
      for (let index = 0; ; index += 1) {
        const { done, value } = await pageAt(index);
        if (done === true) {
          return;
        }
        yield value;
      }
    },
  };
}

/** The first page of a list. */
export async function firstPageOf(session: Session, list: string, reuse: Reuse): Promise<Answer> {
  const { value } = await (await lookInto(session, list, { reuse })).pages().next();
  return value.answer;
}

/** All pages of a look. */
export async function pagesIn(session: Session, list: string, looking: Looking = {}): Promise<readonly Answer[]> {
  const pages: Answer[] = [];
  for await (const { answer } of (await lookInto(session, list, looking)).pages()) {
    pages.push(answer);
  }
  return pages;
}

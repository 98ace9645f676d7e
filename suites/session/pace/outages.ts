import type { Clock } from '../../../common/clock.ts';
import { exchangeWith } from '../../../results/exchange.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { isAway } from '../evidence/accidents.ts';

/**
 * While a server before the deployment says to everybody that it is away, as during a restart, nobody's call shows anything: calls wait
 * until it is back. One call that gets 503 while others are answered is judged as it is.
 */
interface Outages {
  /** Resolves when no outage is known to go on. */
  over(): Promise<void>;
  note(call: Call, answer: Answer): void;
  /** Whether the deployment was away altogether: it has been waited for. `send` makes a call at once. */
  met(call: Call, answer: Answer, send: (call: Call) => Promise<Answer>): Promise<boolean>;
}

/** How long is waited in all, ms: a deployment that stays away is gone. */
const mostWaited = 45_000;
const longestPause = 4_000;

const pathOf = ({ endpoint, path }: Call): string => endpoint?.path ?? path;

/** A read that succeeds at any time: records and keys of the run may be deleted. */
const isControl = ({ method, endpoint, query, queryKey, key }: Call, { accepted }: Answer): boolean =>
  accepted &&
  method === 'GET' &&
  endpoint?.path.includes(':id') === false &&
  !query &&
  !queryKey &&
  key?.origin === 'given';

export function createOutages(clock: Clock): Outages {
  /** By path: what one endpoint gets may be its own. */
  const controls = new Map<string, Call>();
  /** Of the last call to each path that somebody else than a server before the deployment answered, its number. */
  const answered = new Map<string, number>();
  let going: Promise<void> | null = null;
  let waited = 0;

  async function lasts(control: Call, send: (call: Call) => Promise<Answer>): Promise<void> {
    for (let pause = 250; waited < mostWaited; pause = Math.min(2 * pause, longestPause)) {
      await clock.sleep(pause);
      waited += pause;
      if (!isAway((await send(control)).status)) {
        return;
      }
    }
  }

  return {
    over: async () => {
      await going;
    },
    note(call, answer) {
      if (isControl(call, answer)) {
        controls.set(pathOf(call), call);
      }
      if (answer.status !== 0 && !isAway(answer.status)) {
        answered.set(pathOf(call), Math.max(answered.get(pathOf(call)) ?? 0, answer.exchange.number));
      }
    },
    async met(call, answer, send) {
      if (!isAway(answer.status)) {
        return false;
      }
      if (going === null) {
        const [control] = [...controls].flatMap(([path, one]) => (path === pathOf(call) ? [] : [one]));
        const isThere = [...answered].some(
          ([path, number]) => path !== pathOf(call) && number > answer.exchange.number,
        );
        if (control === undefined || isThere || waited >= mostWaited || !isAway((await send(control)).status)) {
          return false;
        }
        going ??= lasts(control, send).finally(() => {
          going = null;
        });
      }
      await going;
      return waited < mostWaited;
    },
  };
}

/** What a call got that met an outage, and may not be made again: no answer of the deployment's. Its evidence shows the status. */
export const unanswered = (answer: Answer): Answer => {
  const failure = { kind: 'away', message: `The whole deployment was away: ${answer.status} to every call` } as const;
  const exchange = exchangeWith(answer.exchange, { response: null, failure });
  return {
    exchange,
    status: 0,
    accepted: false,
    text: '',
    json: undefined,
    payload: undefined,
    header: () => null,
    unredacted: (read) => read({ json: undefined, payload: undefined, holds: () => false, header: () => null }),
  };
};

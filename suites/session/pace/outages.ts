import type { Clock } from '../../../common/clock.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import { isGatewayError } from '../evidence/accidents.ts';

/**
 * While a gateway says to everybody that the deployment is away, as during a restart, no answer shows anything: calls
 * wait until it is back. A call that gets 503 while others are answered is judged as it is.
 */
export interface Outages {
  /** Resolves when no known outage goes on. */
  waitUntilOver(): Promise<void>;
  note(call: Call, answer: Answer): void;
  /**
   * Finds out whether the whole deployment was away when it gave an answer, and then waits until it is back. `send`
   * sends a call once, at the pace of its key.
   */
  waitOut(call: Call, answer: Answer, send: (call: Call) => Promise<Answer>): Promise<Presence>;
}

/** Whether the deployment was `here` when it gave an answer; `unknown`: what asked for it came too late to tell. */
type Presence = 'here' | 'away' | 'unknown';

/** How long outages are waited for in all, ms: a deployment that stays away longer is gone. */
const mostWaited = 45_000;
/** Milliseconds between two looks whether the deployment is back; they double up to the longest. */
const firstPause = 250;
const longestPause = 4_000;
/** A control that waited for longer, ms, until its key had room, shows nothing of the time before. */
const longestUntilControl = 1_000;

const pathOf = ({ endpoint, path }: Call): string => endpoint?.path ?? path;

/**
 * Whether a call can be a control, which shows whether the deployment is away: a plain read that was accepted. Records
 * and keys of the run may be deleted later, so no control names one or uses one.
 */
const isControl = ({ method, endpoint, query, queryKey, key }: Call, { accepted }: Answer): boolean =>
  accepted &&
  method === 'GET' &&
  endpoint?.path.includes(':id') === false &&
  !query &&
  !queryKey &&
  key?.origin === 'given';

export function createOutages(clock: Clock): Outages {
  /** By path, since one endpoint alone may be away. The latest is the last: its key is likely to have room. */
  const controls = new Map<string, Call>();
  /** By path, the number of the last exchange in which the deployment itself answered, not a gateway. */
  const lastAnswered = new Map<string, number>();
  let outage: Promise<void> | null = null;
  let waited = 0;

  async function untilBack(control: Call, send: (call: Call) => Promise<Answer>): Promise<void> {
    for (let pause = firstPause; waited < mostWaited; pause = Math.min(2 * pause, longestPause)) {
      await clock.sleep(pause);
      waited += pause;
      if (!isGatewayError((await send(control)).status)) {
        return;
      }
    }
  }

  return {
    waitUntilOver: async () => {
      await outage;
    },
    note(call, answer) {
      const path = pathOf(call);
      if (isControl(call, answer)) {
        controls.delete(path);
        controls.set(path, call);
      }
      if (answer.status !== 0 && !isGatewayError(answer.status)) {
        lastAnswered.set(path, Math.max(lastAnswered.get(path) ?? 0, answer.exchange.number));
      }
    },
    async waitOut(call, answer, send) {
      if (!isGatewayError(answer.status)) {
        return 'here';
      }
      if (outage === null) {
        const path = pathOf(call);
        const control = [...controls].findLast(([other]) => other !== path)?.[1];
        const isElsewhereAnswered = [...lastAnswered].some(
          ([other, number]) => other !== path && number > answer.exchange.number,
        );
        if (control === undefined || isElsewhereAnswered || waited >= mostWaited) {
          return 'here';
        }
        const askedAt = clock.now();
        if (!isGatewayError((await send(control)).status)) {
          return clock.now() - askedAt > longestUntilControl ? 'unknown' : 'here';
        }
        outage ??= untilBack(control, send).finally(() => {
          outage = null;
        });
      }
      await outage;
      return waited < mostWaited ? 'away' : 'here';
    },
  };
}

/**
 * The answer to a call that met an outage and must not be made again: it counts as none, since the deployment gave
 * none. The evidence keeps the status.
 */
export const asUnanswered = (answer: Answer): Answer => {
  const failure = { kind: 'away', message: `The whole deployment was down: ${answer.status} to every call` } as const;
  const exchange = { ...answer.exchange, response: null, failure };
  return {
    exchange,
    status: 0,
    accepted: false,
    lack: null,
    text: '',
    json: undefined,
    payload: undefined,
    header: () => null,
    unredacted: (read) =>
      read({ json: undefined, payload: undefined, next: undefined, holds: () => false, header: () => null }),
  };
};

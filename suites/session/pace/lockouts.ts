import type { Clock } from '../../../common/clock.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { KeyMode } from '../key.ts';
import {
  causeOf,
  controlFor,
  controlForRefused,
  hasBadKey,
  lockedOut,
  newLockoutState,
  noteAnswer,
  noteOrdinaryRefusal,
} from './lockout-state.ts';

/**
 * After some calls with a bad key a deployment may lock out their address, or all keys that begin alike, for a while.
 * It then refuses good keys too, with any status. A control finds out whether a refused call met such a lockout: an
 * earlier call of the same kind of key (good or bad) that got what it should. Where the control is now refused like the
 * call, a lockout refused both.
 */
export interface Lockouts {
  /** How many calls have been answered so far. */
  callCount(): number;
  /** Notes the answer to a call. `callsBefore`: `callCount()` when it was sent. */
  note(call: Call, answer: Answer, callsBefore: number): void;
  /** Throws Inconclusive for a call with a bad key after lockouts have been waited for too long. */
  assertMaySend(call: Call): void;
  /**
   * Where a lockout refused the call, waits for its end. Whether the call has to be made again. `send` sends a call
   * once. Throws Inconclusive where waiting longer is no use.
   */
  waitOut(call: Call, answer: Answer, send: (call: Call) => Promise<Answer>): Promise<boolean>;
  /** The control for a call whose key may be locked out; undefined: nothing suggests it, or there is no control. */
  controlFor(call: Call): Call | undefined;
  /** How many windows of refusals the pacer waits for; undefined: as many as without a lockout. */
  mostWindows(call: Call): number | undefined;
}

/** After how many windows of waiting in all no bad key is sent any more, and good keys are given up. */
const mostForBadKeys = 5;
const mostForGoodKeys = 16;

/** `windowMs`: length of the deployment's rate-limit window. `usualMode`: the recommended way of sending a key. */
export function createLockouts(clock: Clock, windowMs: number, usualMode: KeyMode): Lockouts {
  const state = newLockoutState();
  let pausedUntil = 0;
  /** With which status the last lockout refused calls. */
  let lockoutStatus = 0;

  /** Begins a pause, unless one is under way. */
  function beginPause(call: Call, answer: Answer): void {
    if (clock.now() < pausedUntil) {
      return;
    }
    if (state.windowsWaited >= (hasBadKey(call) ? mostForBadKeys : mostForGoodKeys)) {
      throw lockedOut(call, `got ${answer.status}, as every call does`);
    }
    state.windowsWaited += 1;
    pausedUntil = clock.now() + windowMs * 1.02;
    lockoutStatus = answer.status;
  }

  return {
    callCount: () => state.count,
    note: (call, answer, callsBefore) => noteAnswer(state, call, answer, { callsBefore, usualMode }),
    assertMaySend(call) {
      if (hasBadKey(call) && state.windowsWaited >= mostForBadKeys) {
        throw lockedOut(call, 'was skipped');
      }
    },
    async waitOut(call, answer, send) {
      const controlCall = controlForRefused(state, call, answer);
      if (controlCall === undefined) {
        return false;
      }
      // What the lockout refused before the pause ended is sent again without a control, however late its answer came.
      if (answer.exchange.sentAt > pausedUntil || answer.status !== lockoutStatus) {
        const first = await send(controlCall);
        // One 5xx may be an accident.
        const control = first.status >= 500 ? await send(controlCall) : first;
        const cause = causeOf(state, { call, answer, control }, windowMs);
        if (cause === 'the call' && hasBadKey(call)) {
          noteOrdinaryRefusal(state, call, answer);
        }
        if (cause !== 'lockout') {
          return cause === 'perhaps an ended lockout';
        }
        beginPause(call, answer);
      }
      await clock.sleep(Math.max(1, pausedUntil - clock.now()));
      return true;
    },
    controlFor: (call) => controlFor(state, call),
    mostWindows: (call) => (!hasBadKey(call) && controlFor(state, call) !== undefined ? mostForGoodKeys : undefined),
  };
}

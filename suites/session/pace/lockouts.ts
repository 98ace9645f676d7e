import type { Clock } from '../../../common/clock.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { KeyMode } from '../key.ts';

/**
 * After some calls with a bad key a deployment may lock out their address, or all keys that begin alike, for a while.
 * It then refuses good keys too, with any status. A control finds out whether a refused call met such a lockout: an
 * earlier call of the same kind of key (good or bad) that got what it should. Where the control is now refused like the
 * call, a lockout refused both.
 */
interface Lockouts {
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

/** How often a call with a bad key is made where each control comes late. */
const mostCompared = 5;

const hasBadKey = ({ key }: Call): boolean => key === null || key.origin === 'unknown';
const secretOf = ({ key }: Call): string => key?.secret ?? '';
const keyName = (call: Call): string => `${hasBadKey(call)} ${secretOf(call)}`;
const refusalName = (call: Call, status: number): string => `${status} ${secretOf(call)}`;

/**
 * Whether a call can be a control: a plain read, sent in the usual way, that got what it should. Records and keys of
 * the run may be deleted later, so no control names one or uses one.
 */
function isControl(call: Call, { status, accepted }: Answer, usualMode: KeyMode): boolean {
  const { method, endpoint, query, queryKey, headers, key, mode = usualMode } = call;
  const isBare = !query && !queryKey && !headers && mode === usualMode;
  const isPlainRead = method === 'GET' && endpoint?.path.includes(':id') === false && isBare;
  return isPlainRead && (hasBadKey(call) ? status === 401 : accepted && key?.origin === 'given');
}

function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

/** `windowMs`: length of the deployment's rate-limit window. `usualMode`: the recommended way of sending a key. */
export function createLockouts(clock: Clock, windowMs: number, usualMode: KeyMode): Lockouts {
  const controls = new Map<string, Call>();
  /** By secret, the call count when the last accepted call with it was sent: a 401 before that does not lock it out. */
  const acceptedAt = new Map<string, number>();
  /** Statuses that bad keys get although no lockout refuses them. */
  const ordinaryRefusals = new Set<string>();
  /** How often calls were compared with a control that came late. */
  const compared = new WeakMap<Call, number>();
  /** Calls for which a control showed nothing: each is waited for only once. */
  const waitedUnseen = new WeakSet<Call>();
  let count = 0;
  let last401At = 0;
  let pausedUntil = 0;
  /** With which status the last lockout refused calls. */
  let lockoutStatus = 0;
  let windowsWaited = 0;

  const mayBeLockedOut = (control: Call): boolean => last401At > (acceptedAt.get(secretOf(control)) ?? 0);

  /** The control whose key is most like the call's. */
  function nearestControl(call: Call): Call | undefined {
    const likeness = (control: Call): number => commonPrefixLength(secretOf(control), secretOf(call));
    const [first, ...others] = [...controls.values()].filter((control) => hasBadKey(control) === hasBadKey(call));
    return first && others.reduce((best, control) => (likeness(control) > likeness(best) ? control : best), first);
  }

  function controlFor(call: Call): Call | undefined {
    const control = nearestControl(call);
    return control !== undefined && mayBeLockedOut(control) ? control : undefined;
  }

  /** The control for a call that a lockout may have refused, by its answer; undefined: it did not, or there is none. */
  function controlForRefused(call: Call, { status, accepted }: Answer): Call | undefined {
    if (hasBadKey(call)) {
      const isOdd = !accepted && ![0, 401, 429].includes(status) && !ordinaryRefusals.has(refusalName(call, status));
      return isOdd ? nearestControl(call) : undefined;
    }
    const isDocumented = (call.purpose ?? 'documented') === 'documented';
    return status === 401 || (status === 403 && isDocumented) ? controlFor(call) : undefined;
  }

  /**
   * What refused a call, by the answer to its control, before whose sending a lockout may have ended. Throws
   * Inconclusive for a bad key, where a lockout that was seen before may have ended each time.
   */
  function causeOf(call: Call, answer: Answer, control: Answer): 'lockout' | 'perhaps an ended lockout' | 'the call' {
    // A control that is limited or lost shows nothing: it is waited for once, as if the call were locked out.
    const showsNothing = [0, 429].includes(control.status) && !waitedUnseen.has(call);
    waitedUnseen.add(call);
    if (control.status === answer.status || showsNothing) {
      return 'lockout';
    }
    if (control.exchange.receivedAt - answer.exchange.sentAt <= windowMs / 60) {
      return 'the call';
    }
    const times = (compared.get(call) ?? 0) + 1;
    compared.set(call, times);
    // Where bad keys wait long for their turn, a lockout may end each time before the control has its own.
    const waitedForTurn = control.exchange.sentAt - answer.exchange.receivedAt;
    const mayEndEachTime = hasBadKey(call) && windowsWaited > 0 && waitedForTurn > windowMs / 60;
    if (times === 1 || (mayEndEachTime && times < mostCompared)) {
      return 'perhaps an ended lockout';
    }
    if (mayEndEachTime) {
      throw lockedOut(call, `got ${answer.status} each time`);
    }
    return 'the call';
  }

  /** Begins a pause, unless one is under way. */
  function beginPause(call: Call, answer: Answer): void {
    if (clock.now() < pausedUntil) {
      return;
    }
    if (windowsWaited >= (hasBadKey(call) ? mostForBadKeys : mostForGoodKeys)) {
      throw lockedOut(call, `got ${answer.status}, as every call does`);
    }
    windowsWaited += 1;
    pausedUntil = clock.now() + windowMs * 1.02;
    lockoutStatus = answer.status;
  }

  return {
    callCount: () => count,
    note(call, answer, callsBefore) {
      count += 1;
      if (answer.status === 401) {
        last401At = count;
      } else if (answer.accepted) {
        acceptedAt.set(secretOf(call), callsBefore);
      }
      if (isControl(call, answer, usualMode)) {
        controls.set(keyName(call), call);
      }
    },
    assertMaySend(call) {
      if (hasBadKey(call) && windowsWaited >= mostForBadKeys) {
        throw lockedOut(call, 'was skipped');
      }
    },
    async waitOut(call, answer, send) {
      const control = controlForRefused(call, answer);
      if (control === undefined) {
        return false;
      }
      // What the lockout refused before the pause ended is sent again without a control, however late its answer came.
      if (answer.exchange.sentAt > pausedUntil || answer.status !== lockoutStatus) {
        const first = await send(control);
        // One 5xx may be an accident.
        const cause = causeOf(call, answer, first.status >= 500 ? await send(control) : first);
        if (cause === 'the call' && hasBadKey(call)) {
          ordinaryRefusals.add(refusalName(call, answer.status));
        }
        if (cause !== 'lockout') {
          return cause === 'perhaps an ended lockout';
        }
        beginPause(call, answer);
      }
      await clock.sleep(Math.max(1, pausedUntil - clock.now()));
      return true;
    },
    controlFor,
    mostWindows: (call) => (!hasBadKey(call) && controlFor(call) !== undefined ? mostForGoodKeys : undefined),
  };
}

const lockedOut = ({ method, path }: Call, what: string): Inconclusive =>
  new Inconclusive({
    message: `${method} ${path} ${what}: the deployment still locks this address out for calls with bad keys`,
    advice: 'Raise the lockout threshold for this address, or run again later',
  });

import { commonPrefixLength } from '../../../common/words.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { KeyMode } from '../key.ts';

/** What the answers so far show of lockouts, and the calls that find out whether one is under way. */
interface LockoutState {
  /** By kind of key and secret. */
  readonly controls: Map<string, Call>;
  /** By secret, the call count when the last accepted call with it was sent: a 401 before that does not lock it out. */
  readonly acceptedAt: Map<string, number>;
  /** Statuses that bad keys get although no lockout refuses them. */
  readonly ordinaryRefusals: Set<string>;
  /** How often calls were compared with a control that came late. */
  readonly compared: WeakMap<Call, number>;
  /** Calls for which a control showed nothing: each is waited for only once. */
  readonly waitedUnseen: WeakSet<Call>;
  /** How many calls have been answered so far. */
  count: number;
  /** The count at the last 401. */
  last401At: number;
  /** How many windows of lockouts have been waited for. */
  windowsWaited: number;
}

export const newLockoutState = (): LockoutState => ({
  controls: new Map(),
  acceptedAt: new Map(),
  ordinaryRefusals: new Set(),
  compared: new WeakMap(),
  waitedUnseen: new WeakSet(),
  count: 0,
  last401At: 0,
  windowsWaited: 0,
});

/** How often a call with a bad key is made where each control comes late. */
const mostCompared = 5;

export const hasBadKey = ({ key }: Call): boolean => key === null || key.origin === 'unknown';
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

/** Notes the answer to a call. `callsBefore`: the count when it was sent. `usualMode`: how keys are sent usually. */
export function noteAnswer(
  state: LockoutState,
  call: Call,
  answer: Answer,
  { callsBefore, usualMode }: { readonly callsBefore: number; readonly usualMode: KeyMode },
): void {
  state.count += 1;
  if (answer.status === 401) {
    state.last401At = state.count;
  } else if (answer.accepted) {
    state.acceptedAt.set(secretOf(call), callsBefore);
  }
  if (isControl(call, answer, usualMode)) {
    state.controls.set(keyName(call), call);
  }
}

/** Notes that a bad key gets this status although no lockout refuses it. */
export const noteOrdinaryRefusal = ({ ordinaryRefusals }: LockoutState, call: Call, { status }: Answer): void => {
  ordinaryRefusals.add(refusalName(call, status));
};

/** The control whose key is most like the call's. */
function nearestControl({ controls }: LockoutState, call: Call): Call | undefined {
  const sharedLength = (control: Call): number => commonPrefixLength(secretOf(control), secretOf(call));
  const [first, ...others] = [...controls.values()].filter((control) => hasBadKey(control) === hasBadKey(call));
  return first && others.reduce((best, one) => (sharedLength(one) > sharedLength(best) ? one : best), first);
}

/** The control for a call whose key may be locked out; undefined: nothing suggests it, or there is no control. */
export function controlFor(state: LockoutState, call: Call): Call | undefined {
  const control = nearestControl(state, call);
  const mayBeLockedOut = control !== undefined && state.last401At > (state.acceptedAt.get(secretOf(control)) ?? 0);
  return mayBeLockedOut ? control : undefined;
}

/** The control for a call that a lockout may have refused, by its answer; undefined: it did not, or there is none. */
export function controlForRefused(state: LockoutState, call: Call, { status, accepted }: Answer): Call | undefined {
  if (hasBadKey(call)) {
    const isKnown = state.ordinaryRefusals.has(refusalName(call, status));
    const isOdd = !accepted && ![0, 401, 429].includes(status) && !isKnown;
    return isOdd ? nearestControl(state, call) : undefined;
  }
  const isDocumented = (call.purpose ?? 'documented') === 'documented';
  return status === 401 || (status === 403 && isDocumented) ? controlFor(state, call) : undefined;
}

/** A refused call, and the control that was sent after it. */
interface Comparison {
  readonly call: Call;
  readonly answer: Answer;
  readonly control: Answer;
}

/**
 * What refused a call, by the answer to its control, before whose sending a lockout may have ended. Throws Inconclusive
 * for a bad key, where a lockout that was seen before may have ended each time. `windowMs`: length of the deployment's
 * rate-limit window.
 */
export function causeOf(
  state: LockoutState,
  { call, answer, control }: Comparison,
  windowMs: number,
): 'lockout' | 'perhaps an ended lockout' | 'the call' {
  // A control that is limited or lost shows nothing: it is waited for once, as if the call were locked out.
  const showsNothing = [0, 429].includes(control.status) && !state.waitedUnseen.has(call);
  state.waitedUnseen.add(call);
  if (control.status === answer.status || showsNothing) {
    return 'lockout';
  }
  if (control.exchange.receivedAt - answer.exchange.sentAt <= windowMs / 60) {
    return 'the call';
  }
  const times = (state.compared.get(call) ?? 0) + 1;
  state.compared.set(call, times);
  // Where bad keys wait long for their turn, a lockout may end each time before the control has its own.
  const waitedForTurn = control.exchange.sentAt - answer.exchange.receivedAt;
  const mayEndEachTime = hasBadKey(call) && state.windowsWaited > 0 && waitedForTurn > windowMs / 60;
  if (times === 1 || (mayEndEachTime && times < mostCompared)) {
    return 'perhaps an ended lockout';
  }
  if (mayEndEachTime) {
    throw lockedOut(call, `got ${answer.status} each time`);
  }
  return 'the call';
}

/** The error where waiting for the end of a lockout is no use. */
export const lockedOut = ({ method, path }: Call, what: string): Inconclusive =>
  new Inconclusive({
    message: `${method} ${path} ${what}: the deployment still locks this address out for calls with bad keys`,
    advice: 'Raise the lockout threshold for this address, or run again later',
  });

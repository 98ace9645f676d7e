import type { Clock } from '../../../common/clock.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../call.ts';
import type { KeyMode } from '../key.ts';

/**
 * After some calls with a bad key a deployment may lock out their address, or all keys that begin alike, for a while, and refuse good keys
 * too, with whatever status. A key is locked out where a call that was made before in its place is now refused as the one in question.
 */
interface Lockouts {
  /** Counts calls: `note` is told where it stood when its call was sent. */
  moment(): number;
  note(call: Call, answer: Answer, sentAt: number): void;
  /** Throws Inconclusive where lockouts have been waited for long enough to send no more bad keys. */
  assertOpen(call: Call): void;
  /**
   * Whether a lockout refused the call: it has been waited for, and the call may be made again. `send` makes a call at once.
   * Throws Inconclusive where waiting longer is no use.
   */
  refused(call: Call, answer: Answer, send: (call: Call) => Promise<Answer>): Promise<boolean>;
  /** A call that shows whether the key of this one is locked out; undefined: nothing speaks for it, or nothing shows it. */
  doubted(call: Call): Call | undefined;
  /** How many windows of refusals to wait for; undefined: as many as without a lockout. */
  patience(call: Call): number | undefined;
}

/** How many windows are waited for in all before no bad key is sent any more, and before good ones are given up. */
const mostForBadKeys = 5;
const mostForAll = 16;

const hasBadKey = ({ key }: Call): boolean => key === null || key.origin === 'unknown';
const secretOf = ({ key }: Call): string => key?.secret ?? '';
const ownStatus = (call: Call, status: number): string => `${status} ${secretOf(call)}`;
const nameOf = (call: Call): string => `${hasBadKey(call)} ${secretOf(call)}`;

/** Whether a call came to what it is to come to, and does so at any time: records and keys of the run may be deleted. */
function isControl(call: Call, { status, accepted }: Answer, usual: KeyMode): boolean {
  const { method, endpoint, query, queryKey, headers, key, mode = usual } = call;
  const isBare = !query && !queryKey && !headers && mode === usual;
  const isPlain = method === 'GET' && endpoint?.path.includes(':id') === false && isBare;
  return isPlain && (hasBadKey(call) ? status === 401 : accepted && key?.origin === 'given');
}

function alike(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) {
    length += 1;
  }
  return length;
}

/** `usual`: the recommended way of sending a key. */
export function createLockouts(clock: Clock, windowMs: number, usual: KeyMode): Lockouts {
  const controls = new Map<string, Call>();
  /** When keys were accepted, by secret: what came before does not lock them out. */
  const letIn = new Map<string, number>();
  /** Bad keys, and statuses that they get though no lockout refuses them. */
  const ownStatuses = new Set<string>();
  /** Calls that were made again since a lockout may have ended while their answer was under way. */
  const madeAgain = new WeakSet<Call>();
  /** Calls that have waited since nothing showed whether they were locked out. */
  const waitedFor = new WeakSet<Call>();
  let [moment, badAt, pausedUntil, windows] = [0, 0, 0, 0];

  const isDoubted = (call: Call): boolean => badAt > (letIn.get(secretOf(call)) ?? 0);

  /** The one with the key that is most like the call's. */
  function controlFor(call: Call): Call | undefined {
    const [first, ...others] = [...controls.values()].filter((one) => hasBadKey(one) === hasBadKey(call));
    const likeness = (one: Call): number => alike(secretOf(one), secretOf(call));
    return first && others.reduce((best, one) => (likeness(one) > likeness(best) ? one : best), first);
  }

  /** The call that shows whether a lockout refused another; undefined: nothing speaks for it, or nothing shows it. */
  function controlOf(call: Call, { status, accepted }: Answer): Call | undefined {
    const control = controlFor(call);
    const mayBe = hasBadKey(call)
      ? !accepted && ![0, 401, 429].includes(status) && !ownStatuses.has(ownStatus(call, status))
      : status === 401 || (status === 403 && (call.purpose ?? 'documented') === 'documented');
    return mayBe && control !== undefined && (hasBadKey(call) || isDoubted(control)) ? control : undefined;
  }

  function doubted(call: Call): Call | undefined {
    const control = controlFor(call);
    return control !== undefined && isDoubted(control) ? control : undefined;
  }

  /** Whether a lockout may have ended before the control was answered: then the call is made once more. */
  function isLate(call: Call, answer: Answer, control: Answer): boolean {
    const late = control.exchange.receivedAt - answer.exchange.sentAt > windowMs / 60 && !madeAgain.has(call);
    madeAgain.add(call);
    return late;
  }

  /** Begins a pause, unless one is under way. */
  function pause(call: Call, answer: Answer): void {
    if (clock.now() < pausedUntil) {
      return;
    }
    if (windows >= (hasBadKey(call) ? mostForBadKeys : mostForAll)) {
      throw lockedOut(call, `gets ${answer.status} as everything does`);
    }
    windows += 1;
    pausedUntil = clock.now() + windowMs * 1.02;
  }

  return {
    moment: () => moment,
    note(call, answer, sentAt) {
      moment += 1;
      if (answer.status === 401) {
        badAt = moment;
      } else if (answer.accepted) {
        letIn.set(secretOf(call), sentAt);
      }
      if (isControl(call, answer, usual)) {
        controls.set(nameOf(call), call);
      }
    },
    assertOpen(call) {
      if (hasBadKey(call) && windows >= mostForBadKeys) {
        throw lockedOut(call, 'is not tried');
      }
    },
    async refused(call, answer, send) {
      const control = controlOf(call, answer);
      if (control === undefined) {
        return false;
      }
      // What was sent before a pause ended is tried again, however late its answer came.
      if (answer.exchange.sentAt > pausedUntil) {
        const first = await send(control);
        // One 5xx is an accident.
        const told = first.status >= 500 ? await send(control) : first;
        // What is limited, or lost, shows nothing: that is waited for once, as a lockout is.
        const isUnseen = [0, 429].includes(told.status) && !waitedFor.has(call);
        waitedFor.add(call);
        if (told.status !== answer.status && !isUnseen) {
          if (isLate(call, answer, told)) {
            return true;
          }
          if (hasBadKey(call)) {
            ownStatuses.add(ownStatus(call, answer.status));
          }
          return false;
        }
        pause(call, answer);
      }
      await clock.sleep(Math.max(1, pausedUntil - clock.now()));
      return true;
    },
    doubted,
    patience: (call) => (!hasBadKey(call) && doubted(call) !== undefined ? mostForAll : undefined),
  };
}

const lockedOut = ({ method, path }: Call, what: string): Inconclusive =>
  new Inconclusive({
    message: `${method} ${path} ${what}: the deployment locks callers out after some calls with a bad key, and minutes of waiting did not end it`,
    cause: 'Let the address of this run try more keys, or try the rest later',
  });

import type { Clock } from '../../../common/clock.ts';
import { isOutside, quoteIfOutside } from '../../../results/likely-cause.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import type { Answer, Call, KeyMode, SentCall } from '../call.ts';
import { type Evidence, isGatewayError } from '../evidence/evidence.ts';

type Send = (call: Call) => Promise<Answer>;
type Kind = 'outage' | 'lockout';

/** Pauses before each look whether a deployment is back, ms, over the whole run: one that stays away longer is gone. */
const outagePauses = [250, 500, 1_000, 2_000, ...Array<number>(10).fill(4_000)];
/** A control that is sent so much later, ms, since its key had to wait for its turn, shows nothing of an outage. */
const lateMs = 1_000;
/** For how many windows lockouts are waited for, over the whole run, and for how many of them bad keys are sent on. */
const mostWindows = { good: 16, bad: 5 };

const hasBadKey = ({ key }: Call): boolean => key === null || key.origin === 'unknown';
const isBare = ({ query, queryKey, headers }: Call): boolean => !query && !queryKey && !headers;

/**
 * Tells whether an answer is about its call. It may not be: a gateway answers 502 to 504 to every call while the
 * deployment restarts, after some calls with bad keys a deployment may lock the address out and refuse good keys, too,
 * and after some calls of any kind a firewall in front of it may. To find out, a control is sent: a read that got what
 * it should before. If it is refused in the same way now, all calls wait until it is answered as before. `windowMs`:
 * length of the deployment's rate-limit window. `usualMode`: the recommended way of sending a key. `sent`: the calls of
 * the run.
 */
export function createDoubts(
  clock: Clock,
  windowMs: number,
  usualMode: KeyMode,
  sent: readonly SentCall[],
  evidence: Pick<Evidence, 'noteForeign'>,
) {
  const pauses: Record<Kind, number[]> = {
    outage: [...outagePauses],
    lockout: Array<number>(mostWindows.good).fill(windowMs * 1.02),
  };
  /** What is being found out, by kind and status: a call that gets the same meanwhile waits for what comes of it. */
  const looks = new Map<string, Promise<boolean | null>>();
  /** Whether the deployment itself refuses calls in another form than the API's. */
  let refusesSo = false;
  const leastLeft = (call: Call): number => (hasBadKey(call) ? mostWindows.good - mostWindows.bad : 0);

  /**
   * Whether a call can be a control: a plain read, sent in the usual way, that got what it should. Records and keys of
   * the run may be deleted later, so no control names one or uses one.
   */
  const isControl = ({ call, status, accepted }: SentCall): boolean =>
    call.method === 'GET' &&
    call.endpoint?.path.includes(':id') === false &&
    isBare(call) &&
    (call.mode ?? usualMode) === usualMode &&
    (hasBadKey(call) ? status === 401 : accepted && call.key?.origin === 'given');

  /** The latest control of another path with a key like the call's, good or bad, and where possible the same one. */
  function nearest(call: Call, path: string | null, isBad = hasBadKey(call)): SentCall | undefined {
    const isNear = (one: SentCall): boolean =>
      one.call.path !== path && hasBadKey(one.call) === isBad && isControl(one);
    // The key of the latest is likely to have room.
    return sent.findLast((one) => one.call.key?.secret === call.key?.secret && isNear(one)) ?? sent.findLast(isNear);
  }

  function lockoutControl(call: Call, isForeign = false): Call | undefined {
    const control = nearest(call, null);
    if (control === undefined) {
      return undefined;
    }
    const last = sent.findLastIndex(({ status }) => status === 401);
    // A 401 that came while the control was under way may have been sent after it, too.
    const isRefusedSince = last > sent.indexOf(control) || (sent[last]?.receivedAt ?? 0) > control.sentAt;
    return hasBadKey(call) || isForeign || isRefusedSince ? control.call : undefined;
  }

  /** Of what an answer may be a sign, and the call that tells; undefined: there is none. */
  function doubtOf(call: Call, { status, accepted, exchange }: Answer): { kind: Kind; control: Call | undefined } {
    if (isGatewayError(status)) {
      return { kind: 'outage', control: nearest(call, call.path, false)?.call };
    }
    // Who refuses in another form than the API's may not be the deployment.
    const isPage = status < 500 && status !== 429 && isOutside(exchange);
    const isForeign = isPage && (exchange.purpose === 'documented' || !refusesSo);
    const isRefused = isForeign || [401, 403].includes(status);
    const isOdd = hasBadKey(call) ? !accepted && ![0, 401, 429].includes(status) : isRefused;
    return { kind: 'lockout', control: isOdd ? lockoutControl(call, isForeign) : undefined };
  }

  /**
   * Whether a control gets the same as a call. If so, waits until it no longer does, or until only `least` pauses are
   * left; null: no more were left from the start.
   */
  async function look(kind: Kind, control: Call, answer: Answer, least: number, send: Send): Promise<boolean | null> {
    const isSameAs = ({ status }: Answer): boolean =>
      kind === 'lockout' ? status === answer.status : isGatewayError(status) || status === 0;
    const left = pauses[kind];
    const first = await send(control);
    if (!isSameAs(first)) {
      refusesSo ||= isOutside(answer.exchange);
      const isLate = kind === 'outage' && first.exchange.sentAt > answer.exchange.receivedAt + lateMs;
      return isLate && left.shift() !== undefined;
    }
    if (left.length <= least) {
      return null;
    }
    do {
      await clock.sleep(left.shift() ?? 0);
    } while (isSameAs(await send(control)) && left.length > least);
    return true;
  }

  return {
    /**
     * Whether everybody got the same as this call, until now, so that its answer shows nothing. `send` sends a call
     * once, at the pace of its key.
     */
    async isOfEverybody(call: Call, answer: Answer, send: Send): Promise<boolean> {
      const { kind, control } = doubtOf(call, answer);
      if (control === undefined) {
        return false;
      }
      const name = kind === 'lockout' ? `${kind} ${answer.status}` : kind;
      const least = kind === 'lockout' ? leastLeft(call) : 0;
      const found = looks.get(name) ?? look(kind, control, answer, least, send);
      looks.set(name, found);
      const isEverybodys = await found.finally(() => looks.delete(name));
      if (isEverybodys === null && kind === 'lockout' && pauses.lockout.length <= least) {
        evidence.noteForeign(answer.exchange);
        throw lockedOut(call, `got ${answer.status}, as every call does`, answer);
      }
      return isEverybodys ?? kind === 'lockout';
    },
    /** Whether a firewall refuses a call with a good key, as it does those with bad keys, which got 401 before. */
    async isOfAddress(call: Call, { status, exchange }: Answer, send: Send): Promise<boolean> {
      const isOwn = status === 401 || status >= 500 || (status === 429 && refusesSo) || !isOutside(exchange);
      const control = isOwn || hasBadKey(call) ? undefined : nearest(call, null, true)?.call;
      if (control === undefined) {
        return false;
      }
      // One control for all calls at once: a later one may find the address admitted again.
      const name = `address ${status}`;
      const found = looks.get(name) ?? send(control).then((answer) => answer.status === status);
      looks.set(name, found);
      const isSame = (await found.finally(() => looks.delete(name))) === true;
      refusesSo ||= !isSame;
      return isSame;
    },
    /** Throws Inconclusive for a call with a bad key after lockouts have been waited for too long. */
    assertMaySend(call: Call): void {
      if (hasBadKey(call) && pauses.lockout.length <= leastLeft(call)) {
        throw lockedOut(call, 'was skipped');
      }
    },
  };
}

/** The error where waiting for the end of a lockout is no use. */
export const lockedOut = ({ method, path }: Call, what: string, answer?: Answer): Inconclusive =>
  new Inconclusive({
    message: `${method} ${path} ${what}: the deployment, or what stands in front of it, still locks this address out`,
    ...quoteIfOutside(answer?.exchange),
    advice: 'Exempt this address there, or raise its threshold, or run again later',
  });

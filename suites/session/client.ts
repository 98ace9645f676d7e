import type { Clock } from '../../common/clock.ts';
import { minuteAt } from '../../contract/limits.ts';
import { quoteIfOutside } from '../../results/likely-cause.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { type Answer, type ApiKey, type Call, isNotLimited, isOfOtherWorkspace, type SentCall } from './call.ts';
import { isGatewayError } from './evidence/evidence.ts';
import type { OwnRecords } from './evidence/own-records.ts';
import { createExchange, type ExchangeParts } from './exchange.ts';
import { createDoubts, lockedOut } from './pace/doubts.ts';
import type { Pacer } from './pace/pacer.ts';

/** The only way to the deployment: paced, bounded, recorded, and no more than the settings allow. */
export type Client = ReturnType<typeof createClient>;

interface ClientParts<S> extends Omit<ExchangeParts<S>, 'keys'> {
  readonly clock: Clock;
  readonly pacer: Pacer;
  /** How calls that name no mode send their key. */
  readonly usualMode: () => Promise<NonNullable<Call['mode']>>;
}

/** Stands for the calls without a key: a deployment may limit those too. */
const noKey: ApiKey = { secret: '', label: 'no key', environment: 'sandbox', origin: 'unknown' };

/** The first pause before a call is repeated whose key or record may be too new, ms; each further one doubles. */
const firstSettlingPause = 50;

/**
 * Opens a client for one API. `send` is layers around `exchange`, which sends one request. Each may send the call again
 * through those inside it: `untilKnown(untilServed(onceMoreIfBroken(whenBudgetAllows(exchange))))`.
 */
export function createClient<S>(parts: ClientParts<S>) {
  const { api, clock, pacer, policy, records, evidence, settings } = parts;
  const keys = new Map<string, ApiKey>();
  const dead = new Map<ApiKey, Answer>();
  const doubts = createDoubts(clock, minuteAt(settings.CLOCK_SPEED), api.keyModes[0], parts.sent, evidence);
  const exchange = createExchange({ ...parts, keys });

  const withMode = async (call: Call): Promise<Call> =>
    call.key === null || call.mode !== undefined ? call : { ...call, mode: await parts.usualMode() };

  /** Sends a control. Where it breaks, what it was sent for tells. */
  async function sendControl(call: Call): Promise<Answer> {
    await pacer.waitForTurn(call.key ?? noKey);
    const answer = await exchange(call, true);
    evidence.noteForeign(answer.exchange);
    if (answer.status >= 500) {
      evidence.noteAccident(answer.exchange);
    }
    return answer;
  }

  /** Sends a call when its budget has room, and again after each 429, as long as waiting may help. */
  async function whenBudgetAllows(call: Call): Promise<Answer> {
    const key = call.key ?? noKey;
    let limited: Answer | undefined;
    for (let waitedMs = 0; ; ) {
      const isOfUse = waitedMs <= pacer.mostWaitMs && (await pacer.waitForTurn(key));
      if (!isOfUse) {
        throw new Inconclusive({
          message: `${call.method} ${call.path} was skipped: ${key.label} still got 429 after minutes of waiting`,
          cause: 'Another client is using up the limit, it counts the address and not the key, or it never resets',
          ...quoteIfOutside(limited?.exchange),
          blames: `${api.name}.limits.per-minute`,
        });
      }
      const answer = await exchange(call, true);
      if (isNotLimited(answer)) {
        pacer.noteAdmitted(key);
      }
      if (answer.status !== 429) {
        return answer;
      }
      // Paced calls stay within the limit: where the form is not the API's, a platform short of instances refused it.
      evidence.noteForeign(answer.exchange);
      limited = answer;
      waitedMs += pacer.pause(key, call.endpoint?.id ?? call.path, answer);
    }
  }

  /**
   * Sends a call, and once more where it broke: a pooled connection may be closed just as a request goes out on it, and
   * a 5xx may be an accident. Both attempts are evidence; gives both, the last one first.
   */
  async function onceMoreIfBroken(call: Call): Promise<readonly [Answer, ...Answer[]]> {
    const answer = await whenBudgetAllows(call);
    const { status, exchange } = answer;
    const isBroken = status >= 500 || exchange.failure?.kind === 'closed';
    const isRepeated = call.method === 'GET' ? isBroken : changesNothing(call) && isGatewayError(status);
    if (!isRepeated) {
      return [answer];
    }
    const again = await whenBudgetAllows(call).catch((error: unknown) => {
      // MAX_REQUESTS may leave no request for it.
      evidence.noteAccident(exchange);
      throw error;
    });
    if (again.status < 500) {
      evidence.noteAccident(exchange);
    }
    return [again, answer];
  }

  /**
   * Sends a call again where its answer said nothing about it. A call that may have changed something behind the
   * gateway that answered is not sent again.
   */
  async function untilServed(call: Call): Promise<Answer> {
    for (;;) {
      doubts.assertMaySend(call);
      const attempts = await onceMoreIfBroken(call);
      const [answer] = attempts;
      if (!(await doubts.isOfEverybody(call, answer, sendControl))) {
        return answer;
      }
      attempts.forEach(({ exchange }) => void evidence.noteForeign(exchange));
      if (isGatewayError(answer.status) && !changesNothing(call)) {
        // It counts as unanswered, since the deployment gave no answer. The evidence keeps the status.
        const message = `The whole deployment was down: ${answer.status} to every call`;
        const exchange = { ...answer.exchange, response: null, failure: { kind: 'away', message } as const };
        return { ...answer, exchange, status: 0, accepted: false, lack: null };
      }
    }
  }

  /** Sends a call again, with pauses that double, while its key or its record may be too new to be known. */
  async function untilKnown(call: Call): Promise<Answer> {
    for (let pause = firstSettlingPause; ; pause *= 2) {
      const answer = await untilServed(call);
      const deadline = (changedAt(call, answer.status, records) ?? -Infinity) + settings.KEY_SETTLE_MS;
      // Telling a lockout apart may have taken until after the deadline, though the key was too new for the call
      // itself.
      if (answer.exchange.sentAt >= deadline) {
        await assertAlive(call, answer);
        return answer;
      }
      await clock.sleep(Math.max(0, Math.min(pause, deadline - clock.now())));
    }
  }

  /**
   * Throws Inconclusive where a call cannot be judged since the key of the run that it is sent with died: it was
   * accepted, and a read with it is refused now, although no call has deleted the key.
   */
  async function assertAlive({ key, path, method, deletes, isOutdated }: Call, { status }: Answer): Promise<void> {
    // A deletion that failed may have had its effect.
    const isDeletion = ({ call }: SentCall): boolean =>
      call.deletes === true && `${call.path}/`.includes(`/${key?.id}/`);
    if (
      status !== 401 ||
      isOutdated?.(401) === false ||
      deletes ||
      key?.origin !== 'own' ||
      parts.sent.some(isDeletion)
    ) {
      return;
    }
    const accepted = parts.sent.filter((one) => one.accepted);
    const reads = accepted.filter(({ call }) => call.method === 'GET' && !call.endpoint?.path.includes(':id'));
    // Other reads may need scopes that the key lacks.
    const isKnown = accepted.some(({ call }) => call.key === key && call.path === path && call.method === method);
    const control = reads.findLast(({ call }) => call.key === key) ?? (isKnown ? reads.at(-1) : undefined);
    const now = dead.get(key) ?? (control && (await sendControl({ ...control.call, key })));
    if (now?.status === 401) {
      dead.set(key, now);
      const blames = key.creation?.rotatedAt === undefined ? 'keys.create' : 'keys.rotate';
      const message = `${key.label} died: it was accepted before, and a read with it gets 401 now`;
      throw new Inconclusive({ message, blames: `${api.name}.${blames}` });
    }
  }

  async function send(withoutMode: Call): Promise<Answer> {
    const call = await withMode(withoutMode);
    // Before it waits for a turn, which a call that is not sent does not need.
    policy.assertMayWrite(call);
    return untilKnown(call);
  }

  return {
    /**
     * Sends a call when the budget of its key has room, waits out lockouts, outages and 429s that were not provoked,
     * and gives a new key or record time to settle; every attempt is evidence. A transport failure is an answer of
     * status 0. Throws Skipped where the settings forbid the call, and Inconclusive where its key stays limited or
     * locked out, or where it would change a record that is not known to be the run's.
     */
    send,
    /**
     * Sends exactly one request, now, whatever the pace: for calls that must meet the limit. It counts for the pace of
     * later calls with its key. Throws as `send` does.
     */
    async sendNow(call: Call): Promise<Answer> {
      policy.assertMayWrite(call);
      pacer.noteSent(call.key ?? noKey);
      const answer = await exchange(await withMode(call), false);
      if (await doubts.isOfAddress(call, answer, sendControl)) {
        evidence.noteForeign(answer.exchange);
        throw lockedOut(call, `got ${answer.status}, as calls without a valid key do now`, answer);
      }
      return answer;
    },
    assertMayExhaust: policy.assertMayExhaust,
    spendReserved: policy.spendReserved,
    isClosed: pacer.isClosed,
    /** The keys of the run that died, each with the answer that shows it. */
    dead: dead as ReadonlyMap<ApiKey, Answer>,
    /** The keys of the run and those given, by label, as last sent or made, even if no call ever used them. */
    keys,
  };
}

/**
 * When what a call names was made or changed, if its status may show that as it was before: its key, or the record that
 * its path names, may be too new to be known everywhere. undefined: the status stands.
 */
export function changedAt(
  { key, path, deletes, isOutdated }: Call,
  status: number,
  records: Pick<OwnRecords, 'madeAt'>,
): number | undefined {
  const isKeyOutdated = isOutdated?.(status) ?? (status === 401 && key?.origin === 'own');
  if (isKeyOutdated && key?.changedAt !== undefined) {
    return key.changedAt;
  }
  const mayFind = key !== null && key.origin !== 'unknown' && !isOfOtherWorkspace(key);
  // A deletion may have had its effect all the same.
  return isOutdated === undefined && status === 404 && mayFind && !deletes ? records.madeAt(path) : undefined;
}

/** Whether a call is a read, must be refused, or sends a body as it is: such a body is no JSON. */
const changesNothing = ({ method, purpose, body }: Call): boolean =>
  method === 'GET' || purpose === 'refusal' || (purpose === 'off-document' && typeof body === 'string');

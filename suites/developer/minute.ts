import { type KeyType, minuteMs, perMinuteOf } from '../../contract/limits.ts';
import { scopes } from '../../contract/scopes.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import { runMinute } from '../../limits/procedure/minute.ts';
import { Inconclusive } from '../../results/stop.ts';
import { cameOf, findingOn } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { neverIssued } from './auth.ts';
import { endpoint, requireKey } from './calls.ts';
import { sharing } from './key-or-account.ts';
import { workingRead } from './lifecycle.ts';
import { makeKey } from './make-key.ts';

/** One key driven over its minute's limit: the trace, and the answers behind it. */
export interface Drive {
  readonly type: KeyType;
  readonly limit: number;
  readonly windowMs: number;
  readonly samples: readonly Sample[];
  readonly answers: ReadonlyMap<Sample, Answer>;
}

/**
 * Drives a key of that type over its limit, once a run. Throws Skipped where the settings forbid it.
 * Drives follow one another: a limiter by address or account would mix them up.
 */
export const drive = (session: Session, type: KeyType): Promise<Drive> =>
  session.once(`over the limit: ${type}`, async () => {
    const key = await keyOf(session, type);
    session.client.mayExhaust(key);
    await quiet(session);
    const before = ({ sandbox: [], live: ['sandbox'], enterprise: ['live'] } as const)[type];
    await Promise.allSettled(before.map((other) => drive(session, other)));
    return overLimit(session, type, key);
  });

/** With budgets of their own, keys can be driven while the run goes on; otherwise everybody else must be done. */
async function quiet(session: Session): Promise<void> {
  const apart = session.settings.CLOCK_SPEED === 1 && (await sharing(session)).shared === false;
  if (!apart) {
    await session.others;
  }
}

/** A throw-away key, where one can be made; an enterprise key cannot. */
function keyOf(session: Session, type: KeyType): Promise<ApiKey> {
  if (type === 'enterprise') {
    return Promise.resolve(requireKey(session, 'ENTERPRISE_API_KEY'));
  }
  return session.once(
    `key to drive over the limit: ${type}`,
    async () => (await makeKey(session, `${type} over the limit`, scopes, type)).key,
  );
}

async function overLimit(session: Session, type: KeyType, key: ApiKey): Promise<Drive> {
  const limit = perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE);
  const windowMs = minuteMs / session.settings.CLOCK_SPEED;
  const target = endpoint(await workingRead(session));
  const unknown = neverIssued(session)[0] as ApiKey;
  const answers = new Map<Sample, Answer>();
  const send = async (phase: string, call = callOf(target, key)): Promise<Sample> => {
    const answer = await session.client.once(call);
    if (phase === 'opener' && answer.status === 401) {
      throw new Inconclusive(
        findingOn(answer, {
          message: `Cannot be judged: ${key.label} is refused: ${cameOf(answer)}`,
          blames: 'developer.keys.create',
        }),
      );
    }
    const sample = sampleOf(answer, phase);
    answers.set(sample, answer);
    return sample;
  };
  // A new key may not be known at first, and calls with it do not count before it is.
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const samples = await runMinute(
    {
      now: () => session.clock.now(),
      sleep: (ms) => session.clock.sleep(ms),
      send,
      intrude: () => send('intruder', callOf(target, unknown, { purpose: 'refusal' })),
    },
    { limit, windowMs, idle: key.origin === 'own' && (await sharing(session)).shared === false },
  );
  return { type, limit, windowMs, samples, answers };
}

function sampleOf(answer: Answer, phase: string): Sample {
  const { sentAt, receivedAt, keyLabel } = answer.exchange;
  return {
    sentAt,
    receivedAt,
    phase,
    status: answer.status,
    key: String(keyLabel),
    limit: answer.header('X-RateLimit-Limit'),
    remaining: answer.header('X-RateLimit-Remaining'),
    reset: answer.header('X-RateLimit-Reset'),
    retryAfter: answer.header('Retry-After'),
    date: answer.header('Date'),
  };
}

import { type KeyType, minuteMs, perMinuteOf } from '../../../contract/limits.ts';
import { scopes } from '../../../contract/scopes.ts';
import { judge } from '../../../limits/judge/judge.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { runMinute } from '../../../limits/procedure/minute.ts';
import { describeAnswer, undecided } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { requireKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { createRecording, type Drive } from '../../shared/drive.ts';
import { neverIssued } from '../../shared/never-issued.ts';
import { workingRead } from '../../shared/reads.ts';
import { makeKey } from './make-key.ts';
import { sharing } from './sharing.ts';

const before: Readonly<Record<KeyType, KeyType | null>> = { sandbox: null, live: 'sandbox', enterprise: 'live' };

/**
 * Drives a key of that type over its limit. Throws Skipped where the settings forbid it. Drives follow one another: a
 * limiter by address or account would mix them up.
 */
export const driveKey: (session: Session, type: KeyType) => Promise<Drive> = stepFor(
  (type: KeyType) => type,
  async (session, type): Promise<Drive> => {
    const key = await keyToDrive(session, type);
    session.client.assertMayExhaust(key);
    await untilQuiet(session);
    const previous = before[type];
    await Promise.allSettled(previous === null ? [] : [driveKey(session, previous)]);
    return driveOver(session, type, key);
  },
);

/** With budgets of their own, keys can be driven while the run goes on; otherwise everybody else has to be done. */
async function untilQuiet(session: Session): Promise<void> {
  const isApart = session.settings.CLOCK_SPEED === 1 && (await sharing(session)).shared === false;
  if (!isApart) {
    await session.quiet;
  }
}

/** A throw-away key, where one can be made; an enterprise key cannot. */
const keyToDrive = async (session: Session, type: KeyType): Promise<ApiKey> =>
  type === 'enterprise'
    ? requireKey(session, 'ENTERPRISE_API_KEY')
    : (await makeKey(session, `${type} over the limit`, scopes, type)).key;

async function driveOver(session: Session, type: KeyType, key: ApiKey): Promise<Drive> {
  const limit = perMinuteOf(type, session.settings.ENTERPRISE_PER_MINUTE);
  const windowMs = minuteMs / session.settings.CLOCK_SPEED;
  const call = callOf(await workingRead(session), key);
  const intruder: Call = { ...call, key: neverIssued(session)[0], purpose: 'refusal' };
  const recording = createRecording(session);
  const send = async (phase: string): Promise<Sample> => {
    const sample = await recording.send(phase, call);
    if (phase === 'opener' && sample.status === 401) {
      const answer = recording.answers.get(sample) as Answer;
      const message = `Cannot be judged: ${key.label} is refused: ${describeAnswer(answer)}`;
      throw undecided(answer, message, 'developer.keys.create');
    }
    return sample;
  };
  // A new key may not be known at first, and calls with it do not count before it is.
  await session.clock.sleep(session.settings.KEY_SETTLE_MS);
  const samples = await runMinute(
    {
      now: () => session.clock.now(),
      sleep: (ms) => session.clock.sleep(ms),
      send,
      intrude: () => recording.send('intruder', intruder),
    },
    { limit, windowMs, idle: key.origin === 'own' && (await sharing(session)).shared === false },
  );
  const verdict = judge(samples, { limit, windowMs });
  const decisive = recording.answers.get(verdict.exceeded.firstRefused ?? (samples[0] as Sample)) as Answer;
  return { subject: `${type} key`, limit, samples, verdict, perMinute: verdict.perMinute, decisive };
}

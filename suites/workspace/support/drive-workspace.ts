import { endpointOf } from '../../../contract/endpoints.ts';
import { minuteMs, planLimits } from '../../../contract/limits.ts';
import { judge, type Verdict } from '../../../limits/judge/judge.ts';
import type { Sample } from '../../../limits/judge/trace.ts';
import { runMinute } from '../../../limits/procedure/minute.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { resultOrNull } from '../../engine/parts.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import { givenKey, mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { cleanUp } from '../../shared/clean-up.ts';
import { createRecording, type Drive, type Recording, sampleOf, type Word } from '../../shared/drive.ts';
import { neverIssued } from '../../shared/never-issued.ts';
import { read } from '../../shared/reads.ts';
import { changed } from './changes.ts';
import { changing, kinds, listing } from './kinds.ts';

/** The workspace driven over its minute's limit. */
export interface WorkspaceDrive extends Drive {
  readonly afterRefusal: AfterRefusal;
}

/** What calls got right after the first refusal; no calls where nothing was refused with 429. */
export interface AfterRefusal {
  /** Each documented call of the drive, with the key that was refused. */
  readonly calls: readonly { readonly name: string; readonly statuses: readonly number[] }[];
  /** The second key of the workspace; none where it is not set. */
  readonly second: readonly Answer[];
  /** The first key was still refused when all that was answered: no window ended in between. */
  readonly isStillRefused: boolean;
}

/** So many calls of each kind that a bucket's refill in between does not look like a budget of its own. */
const callsAfterRefusal = 3;

/**
 * Drives the workspace over its limit, when everything else is done and two quiet minutes have passed. Throws Skipped where
 * EXHAUST forbids it, Inconclusive where no documented read works.
 */
export const driveWorkspace = step(async (session): Promise<WorkspaceDrive> => {
  session.client.assertMayExhaust(mainKey(session));
  const calls = await callsToDrive(session);
  await session.quiet;
  await deleteUnused(session, calls);
  await session.clock.sleep((2 * minuteMs) / session.settings.CLOCK_SPEED);
  return drive(session, calls);
});

/** Reads of every resource and, where an agent of the run's can be changed, a write: all draw on one limit. */
async function callsToDrive(session: Session): Promise<readonly [Call, ...Call[]]> {
  const key = mainKey(session);
  const lists = await Promise.all(
    kinds.map(async (kind) => ({
      call: callOf(endpointOf(listing(kind)), key),
      answer: await read(session, listing(kind)),
    })),
  );
  const change = await resultOrNull(changed(session, 'agents'));
  const [first, ...others] = lists.flatMap(({ call, answer }) => (isSuccess(answer) ? [call] : []));
  if (first === undefined) {
    throw new Inconclusive({
      message: 'The limit is not tried: no list can be read',
      blames: 'workspace.agents.list',
    });
  }
  return change !== null && isSuccess(change.answer)
    ? [first, ...others, callOf(endpointOf(changing('agents')), key, { id: change.record.id, body: change.body })]
    : [first, ...others];
}

/** What the drive does not need is deleted before it: a limiter that never lets go would keep it for ever. */
async function deleteUnused(session: Session, calls: readonly Call[]): Promise<void> {
  const kept = calls.map(({ path }) => path);
  const isUnused = ({ collection, id }: { collection: string; id?: string }): boolean =>
    !kept.includes(`${collection}/${encodeURIComponent(id ?? '')}`);
  await cleanUp(session, session.ledger.open().filter(isUnused));
}

async function drive(session: Session, calls: readonly [Call, ...Call[]]): Promise<WorkspaceDrive> {
  const { label } = mainKey(session);
  const limit = planLimits[session.settings.WORKSPACE_PLAN].perMinute;
  const windowMs = minuteMs / session.settings.CLOCK_SPEED;
  const [plain] = calls;
  const recording = createRecording(session);
  const isOwnRefusal = ({ key, status }: Sample): boolean => key === label && status === 429;
  let turn = 0;
  let followed: ReturnType<typeof callAfterRefusal> | undefined;
  const trace = await runMinute(
    {
      now: () => session.clock.now(),
      sleep: (ms) => session.clock.sleep(ms),
      // The limit is used up by calls of every kind; what is looked at before and afterwards is one call.
      send: (phase) => recording.send(phase, phase.includes('burst') ? (calls[turn++ % calls.length] as Call) : plain),
      intrude: () => recording.send('intruder', { ...plain, key: neverIssued(session)[0], purpose: 'refusal' }),
      progress: () => {
        if ([...recording.answers.keys()].some(isOwnRefusal)) {
          followed ??= callAfterRefusal(session, calls, recording);
        }
      },
    },
    { limit, windowMs, idle: true },
  );
  const after = (await followed) ?? { calls: [], second: [] };
  const terms = { limit, windowMs, key: label };
  const { samples, verdict } = judgeWithSecond([...recording.answers.keys()], after.second, terms);
  const again = verdict.window.algorithm.startsWith('fixed')
    ? await secondWindow(session, terms, (phase) => recording.send(phase, plain))
    : [];
  const whole = { ...verdict, recovery: judge([...samples, ...again], terms).recovery };
  const isStillRefused = trace.find(({ phase }) => phase === 'probe')?.status === 429;
  const afterRefusal = { ...after, isStillRefused };
  const decisive = trace.find(isOwnRefusal) ?? trace.at(-1);
  return {
    subject: 'workspace',
    limit,
    samples,
    verdict: whole,
    perMinute: perMinuteWord(whole, limit, afterRefusal),
    decisive: recording.answers.get(decisive as Sample) as Answer,
    afterRefusal,
  };
}

type Terms = Parameters<typeof judge>[1] & { readonly key: string };

/** A window that ended among the second key's calls admitted them: then they stand in the workspace's count. */
function judgeWithSecond(
  alone: readonly Sample[],
  second: readonly Answer[],
  terms: Terms,
): { samples: readonly Sample[]; verdict: Verdict } {
  const shared = [...alone, ...second.map((answer) => sampleOf(answer, 'after refusal', terms.key))];
  const verdict = judge(shared, terms);
  return verdict.perMinute.verdict === 'holds'
    ? { samples: shared, verdict }
    : { samples: alone, verdict: judge(alone, terms) };
}

/** One budget refuses every call, whatever it is a call of; the judge of the trace knows of no calls, only of their number. */
function perMinuteWord(verdict: Verdict, limit: number, after: AfterRefusal): Word {
  const named = (fits: (status: number) => boolean): string =>
    after.calls.flatMap(({ name, statuses }) => (statuses.every(fits) ? [name] : [])).join(', ');
  const admitted = named((status) => status < 400);
  const refused = named((status) => status === 429);
  if (admitted === '' || refused === '' || !after.isStillRefused) {
    return verdict.perMinute;
  }
  return {
    verdict: 'more',
    says: `${admitted} are admitted while ${refused} are refused: they do not draw on one limit of ${limit} a minute.`,
  };
}

/**
 * Fills the window after the first one, and looks for its end: a fixed window may have been near its end when the first one
 * was filled, however long it is.
 */
async function secondWindow(
  { clock }: Session,
  { limit, windowMs }: Terms,
  send: (phase: string) => Promise<Sample>,
): Promise<Sample[]> {
  const samples = await Promise.all(Array.from({ length: limit + 3 }, () => send('second window')));
  const until = clock.now() + windowMs * (1 + 4 / 60);
  if (!samples.some(({ status }) => status === 429)) {
    return samples;
  }
  while (clock.now() < until) {
    await clock.sleep(windowMs / 28);
    const sample = await send('second probe');
    samples.push(sample);
    if (isSuccess(sample)) {
      break;
    }
  }
  return samples;
}

/** Right after a refusal: each call of the drive once more, and the second key. */
async function callAfterRefusal(
  session: Session,
  calls: readonly [Call, ...Call[]],
  { send }: Recording,
): Promise<Omit<AfterRefusal, 'isStillRefused'>> {
  const times = Array.from({ length: callsAfterRefusal });
  const key = givenKey(session, 'WORKSPACE_SECOND_API_KEY');
  const [again, second] = await Promise.all([
    Promise.all(
      calls.map(async (call) => {
        const samples = await Promise.all(times.map(() => send('after refusal', call)));
        return { name: `${call.method} ${call.path}`, statuses: samples.map(({ status }) => status) };
      }),
    ),
    Promise.all(key === undefined ? [] : times.map(() => session.client.sendNow({ ...calls[0], key }))),
  ]);
  return { calls: again, second };
}

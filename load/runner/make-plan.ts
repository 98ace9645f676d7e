import { randomUUID } from 'node:crypto';
import { CannotRun } from '../../common/cannot-run.ts';
import { thousands } from '../../common/words.ts';
import { dayMs, minuteAt, minuteMs } from '../../contract/limits.ts';
import { burstGap, burstSize } from '../../limits/procedure/burst.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Plan, Subject } from '../seam/plan.ts';
import type { Arguments } from './arguments.ts';
import { allReads, otherReads } from './reads.ts';

/**
 * How many VUs share one subject's calls: several, if calls must be simultaneous, or slow answers must not delay
 * others.
 */
const shootersOf: Readonly<Record<Plan['script'], number>> = {
  'per-minute': 1,
  burst: 4,
  'per-day': 1,
  soak: 4,
  shared: 1,
};

/** How many ms before the first simultaneous calls k6 is started, so that all instances and VUs are ready. */
const leadOf = (instances: number): number => (instances > 1 ? 6000 + 1000 * instances : 4000);

/**
 * If the first burst is in this part of the clock's minute, later ones, 1.1 windows apart, stay away from its full
 * minute.
 */
const calm = { from: 0.13, to: 0.42 };

function startOf(now: number, clockSpeed: number, instances: number): number {
  const windowMs = minuteAt(clockSpeed);
  const at = now + leadOf(instances);
  const share = (at / windowMs) % 1;
  if (share >= calm.from && share <= calm.to) {
    return at;
  }
  return at + ((share < calm.from ? calm.from : 1 + calm.from) - share) * windowMs;
}

/** The share of the limit that paced calls use. */
const paceOf = ({ script, pace }: Arguments): number => pace ?? (script === 'soak' ? 0.9 : 0.97);

/** The most calls a second with one key, as many as a busy machine can make if the deployment's clock runs fast. */
const sendable = 300;

/** How long using up the rest of a day takes, in ms. */
export function fillMs(subject: Subject, spent: number, options: Arguments, clockSpeed: number): number {
  const left = Math.min(subject.perDay === null ? Infinity : subject.perDay - spent, options.calls ?? Infinity);
  return Math.max((left / (subject.limit * paceOf(options))) * minuteAt(clockSpeed), (left / sendable) * 1000);
}

/** The longest time that the script may take, in ms. */
function boundOf(options: Arguments, subjects: readonly Subject[], spent: Plan['spent'], clockSpeed: number): number {
  const windowMs = minuteAt(clockSpeed);
  const slow = 60_000;
  const idle = subjects.every((subject) => subject.alone) ? 0 : 2 * windowMs + 35_000;
  switch (options.script) {
    case 'per-minute':
      // Where concurrent calls are limited, the key is driven again, twice at most in practice.
      return slow + idle + 11 * windowMs;
    case 'burst':
      return slow + idle + 60_000 + options.bursts * (burstGap(windowMs) + 5000);
    case 'shared':
      return slow + idle + 3 * windowMs;
    case 'soak':
      return slow + options.soakMs;
    case 'per-day': {
      const fill = Math.max(
        ...subjects.map((subject) => fillMs(subject, spent[subject.label] ?? 0, options, clockSpeed)),
      );
      return slow + 1.3 * fill + 10 * windowMs + (options.restore ? (1.1 * dayMs) / clockSpeed : 0);
    }
  }
}

/** About how many calls the script makes with one key; compared with MAX_REQUESTS before anything is sent. */
function callsOf(options: Arguments, subject: Subject, clockSpeed: number): number {
  switch (options.script) {
    case 'per-minute':
      return 4 * subject.limit + 100;
    case 'burst':
      return options.bursts * (burstSize(subject.limit) + 3);
    case 'shared':
      return subject.limit + 4;
    case 'soak':
      return Math.ceil((options.soakMs * clockSpeed * subject.limit * paceOf(options)) / minuteMs);
    case 'per-day':
      return Math.min(options.calls ?? Infinity, (subject.perDay ?? Infinity) + 20);
  }
}

function assertWithin(settings: Settings, options: Arguments, subjects: readonly Subject[]): void {
  const most = settings.MAX_REQUESTS;
  if (most === undefined) {
    return;
  }
  for (const api of ['developer', 'workspace'] as const) {
    const calls = subjects
      .filter((subject) => subject.api === api)
      .reduce((sum, subject) => sum + callsOf(options, subject, settings.CLOCK_SPEED), 0);
    if (calls > most) {
      throw new CannotRun(
        `Cannot run ${options.script} on the ${api} API: it may need ${thousands(calls)} requests, and MAX_REQUESTS is ${thousands(most)}; set it higher, or choose fewer keys with --key`,
      );
    }
  }
}

/** The plan of a run. Throws CannotRun if it may need more requests than MAX_REQUESTS, or would never end. */
export function makePlan(
  settings: Settings,
  options: Arguments,
  subjects: readonly Subject[],
  spent: Plan['spent'],
  now: number,
): Plan {
  assertWithin(settings, options, subjects);
  if (options.script === 'per-day' && options.calls === null && subjects.some(({ perDay }) => perDay === null)) {
    throw new CannotRun(
      'Cannot use up an unlimited day: say with --calls how many calls to make, or leave the key out with --key',
    );
  }
  const shooters = shootersOf[options.script];
  const clockSpeed = settings.CLOCK_SPEED;
  return {
    run: randomUUID(),
    script: options.script,
    clockSpeed,
    timeoutMs: settings.TIMEOUT_MS,
    subjects,
    shooters,
    vus: options.script === 'shared' ? subjects.length / 2 : subjects.length * shooters,
    boundMs: Math.ceil(boundOf(options, subjects, spent, clockSpeed)),
    startAt: options.archive === null ? startOf(now, clockSpeed, options.instances) : null,
    bursts: options.bursts,
    spent,
    calls: options.calls,
    restore: options.restore,
    soakMs: options.soakMs,
    pace: paceOf(options),
    reads: {
      developer: allReads('developer', settings.BASE_URL),
      workspace: allReads('workspace', settings.WORKSPACE_API_URL),
    },
    probes: {
      developer: otherReads('developer'),
      workspace: otherReads('workspace'),
    },
  };
}

// One k6 process against many references at the same time, each with one fault or choice and one key in the run.

import { parseArguments } from '../../cli/load/arguments.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { dayMs, keyLimits, minuteAt, planLimits } from '../../contract/limits.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import type { Variation } from '../../fixtures/reference/vary.ts';
import type { Arguments } from '../../load/runner/arguments.ts';
import { collect, type Trace } from '../../load/runner/collect.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { launch } from '../../load/runner/launch.ts';
import { makePlan } from '../../load/runner/make-plan.ts';
import type { Plan, Subject } from '../../load/seam/plan.ts';
import { verdicts } from '../../load/verdict/verdicts.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { parseSettings } from '../../settings/settings.ts';
import { newFolder } from '../new-folder.ts';

/** A deployment, and the key of it that is used. */
export interface Tried extends Variation {
  readonly name: string;
  readonly key: 'sandbox' | 'live' | 'enterprise' | 'workspace';
  /** Calls that the key made today before the run. */
  readonly spent?: number;
  /** How long after the start of the run its day ends, in ms; if not given, at midnight UTC. */
  readonly dayLeft?: number;
}

const paths = { developer: '/api/v1/platform/me', workspace: '/v1/agents' };

interface Served {
  readonly subject: Subject;
  readonly secret: string;
  readonly close: () => Promise<void>;
}

/** The machine's clock plus an offset. */
function movedClock(): Clock & { move: (ms: number) => void } {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    sleep: systemClock.sleep,
    move: (ms) => {
      ahead += ms;
    },
  };
}

async function serve(tried: Tried, index: number, clockSpeed: number): Promise<Served> {
  const clock = movedClock();
  const reference = createReference({ ...tried, clock, clockSpeed });
  const { urls, close } = await listen(reference);
  const api = tried.key === 'workspace' ? 'workspace' : 'developer';
  const { perMinute, perDay } = tried.key === 'workspace' ? planLimits.starter : keyLimits[tried.key];
  const secret = reference.settings[`${tried.key.toUpperCase()}_API_KEY`] ?? '';
  const url = (api === 'developer' ? urls.BASE_URL : urls.WORKSPACE_API_URL) + paths[api];
  for (let left = tried.spent ?? 0; left > 0; left -= perMinute) {
    clock.move(minuteAt(clockSpeed));
    const headers = api === 'workspace' ? { Authorization: `Bearer ${secret}` } : { 'X-API-Key': secret };
    for (let call = 0; call < Math.min(left, perMinute); call += 1) {
      await reference[api].fetch(new Request(url, { headers }));
    }
  }
  const day = dayMs / clockSpeed;
  if (tried.dayLeft !== undefined) {
    clock.move(day - (clock.now() % day) - tried.dayLeft);
  }
  const subject = {
    label: tried.name,
    api,
    keyEnv: `LOAD_KEY_${index}`,
    url,
    limit: perMinute,
    perDay,
    alone: true,
    unknownKey: 'svc_test_nobody',
  } as const;
  return { subject, secret, close };
}

async function run(plan: Plan, secrets: Record<string, string>, instances: number): Promise<Trace> {
  const k6 = await findK6({ env: process.env, say: () => {} });
  const folder = newFolder();
  const all = Array.from({ length: instances }, (_, index) =>
    launch(
      { k6, plan, secrets, folder, env: process.env, onLine: () => {}, signal: new AbortController().signal },
      index,
      instances,
    ),
  );
  return collect(await Promise.all(all), plan);
}

/**
 * Runs the script once for all deployments. Returns the results of the clauses by name of the deployment, and the
 * problems of the trace.
 */
export async function tryAll(
  args: readonly string[],
  all: readonly Tried[],
  clockSpeed: number,
): Promise<{ results: Map<string, readonly ClauseResult[]>; defects: readonly string[]; trace: Trace; plan: Plan }> {
  const given = parseArguments(args) as Arguments;
  const served = await Promise.all(all.map((tried, index) => serve(tried, index, clockSpeed)));
  try {
    const settings = parseSettings({ CLOCK_SPEED: String(clockSpeed) });
    const plan = makePlan(
      settings,
      given,
      served.map(({ subject }) => subject),
      Object.fromEntries(all.map(({ name, spent = 0 }) => [name, spent])),
      Date.now(),
    );
    const secrets = Object.fromEntries(served.map(({ subject, secret }) => [subject.keyEnv, secret]));
    const trace = await run(plan, secrets, given.instances);
    const results = new Map(
      plan.subjects.map((subject) => [
        subject.label,
        verdicts[given.script]({ ...plan, subjects: [subject] }, trace).results,
      ]),
    );
    return { results, defects: trace.defects, trace, plan };
  } finally {
    await Promise.all(served.map(({ close }) => close()));
  }
}

import type { Plan } from '../../../load/seam/plan.ts';

/** A plan with one VU for each subject, with some fields changed. */
export const plainPlan = (own: Pick<Plan, 'run' | 'script' | 'subjects'> & Partial<Plan>): Plan => ({
  clockSpeed: 1,
  timeoutMs: 30_000,
  shooters: 1,
  vus: own.subjects.length,
  boundMs: 60_000,
  startAt: null,
  bursts: 1,
  spent: {},
  calls: null,
  restore: false,
  soakMs: 0,
  reads: { developer: [], workspace: [] },
  probes: { developer: [], workspace: [] },
  pace: 1,
  ...own,
});

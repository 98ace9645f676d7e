// The loop with which our script is compared: the same executor, VUs, options and calls, and nothing else.
import http from 'k6/http';
import { optionsFor, readPlan, summaryOf } from '../../load/seam/k6.ts';
import type { Subject } from '../../load/seam/plan.ts';

const plan = readPlan();
const { thresholds: _, ...rest } = optionsFor(plan);

export const options = rest;

export default function bare(): void {
  const { url, label } = plan.subjects[0] as Subject;
  const params = {
    headers: { Accept: 'application/json', 'X-API-Key': __ENV.BENCH_KEY ?? '' },
    tags: { name: label },
    responseType: 'text' as const,
  };
  for (const end = Date.now() + plan.soakMs; Date.now() < end; ) {
    http.get(url, params);
  }
}

export const handleSummary = (data: Parameters<typeof summaryOf>[1]): Record<string, string> => summaryOf(plan, data);

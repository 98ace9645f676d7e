import { afterEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../../../load/runner/progress.ts';
import type { Row, Subject } from '../../../../load/seam/plan.ts';
import { plainPlan } from '../plain-plan.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('the time left goes down also while no calls are told', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const subject: Subject = {
    label: 'LIVE',
    api: 'developer',
    keyEnv: 'LIVE',
    url: 'http://127.0.0.1:9/api/v1/keys',
    limit: 300,
    perDay: 1000,
    alone: true,
    unknownKey: 'svc_live_unknown',
  };
  const plan = plainPlan({ run: 'r', script: 'per-day', subjects: [subject] });
  const { take, close } = showProgress(plan, { write: (text: string) => lines.push(text) > 0 }, Date.now);
  vi.advanceTimersByTime(9_000);
  const rows = Array.from({ length: 100 }, (): Row => [0, 1, 200, null, null, null, null, null, 'LIVE', 'fill']);
  take({ t: 'samples', subject: 'LIVE', rows });
  take({ t: 'progress', subject: 'LIVE', step: 'fill', calls: 100 });
  vi.advanceTimersByTime(11_000);
  close();
  expect(lines.map((line) => /about (.*) left/.exec(line)?.[1])).toEqual(['1 min 20 s', '1 min 10 s']);
});

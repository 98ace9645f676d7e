import { afterEach, expect, test, vi } from 'vitest';
import { showProgress } from '../../../load/runner/progress.ts';
import { planOf } from '../../../load/seam/make-plan.ts';
import type { Row } from '../../../load/seam/trace.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('the time left goes down also while no calls are told', () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const plan = planOf('per-day', {
    WORKSPACE_API_URL: 'http://127.0.0.1:9',
    WORKSPACE_API_KEY: 'k',
    EXHAUST: 'all',
    LOAD_CALLS: '1000',
  });
  const { take, close } = showProgress(plan, { write: (text: string) => lines.push(text) > 0 }, Date.now);
  vi.advanceTimersByTime(9_000);
  const subject = 'WORKSPACE_API_KEY';
  const rows = Array.from({ length: 100 }, (): Row => [0, 1, 200, null, null, null, null, null, subject, 'fill']);
  take({ t: 'samples', subject, rows });
  take({ t: 'progress', subject, step: 'fill', calls: 100 });
  vi.advanceTimersByTime(11_000);
  close();
  expect(lines.map((line) => /about (.*) left/.exec(line)?.[1])).toEqual(['1 min 20 s', '1 min 10 s']);
});

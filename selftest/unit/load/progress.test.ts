import { afterEach, expect, test, vi } from 'vitest';
import { sampleOf } from '../../../limits/judge/trace.ts';
import { showProgress } from '../../../load/runner/progress.ts';
import { planOf } from '../../../load/seam/make-plan.ts';

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
  const { take, stop } = showProgress(plan, { write: (text: string) => lines.push(text) > 0 }, Date.now);
  vi.advanceTimersByTime(9_000);
  const subject = 'WORKSPACE_API_KEY';
  const sample = sampleOf({ sentAt: 0, receivedAt: 1, status: 200, key: subject, phase: 'fill' }, () => null);
  take({ t: 'samples', subject, samples: Array.from({ length: 100 }, () => sample) });
  take({ t: 'progress', subject, step: 'fill' });
  vi.advanceTimersByTime(11_000);
  stop();
  expect(lines.map((line) => /about (.*) left/.exec(line)?.[1])).toEqual(['1 min 20 s', '1 min 10 s']);
});

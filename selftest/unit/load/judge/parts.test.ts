import { expect, test } from 'vitest';
import type { Sample } from '../../../../limits/judge/trace.ts';
import { withoutForeign } from '../../../../load/judge/parts.ts';

const own = '{"error":{"code":"rate_limited","message":"No","status":429}}';
const page = 'Rate exceeded.';
const of = (body: string, route?: string) => ({ status: 429, key: 'k', body, ...(route && { route }) }) as Sample;

test.each([
  [
    'is left out where others have the form of the API',
    [of(own), of(page), of(page, 'GET /b'), of('', 'GET /c')],
    [0, 3],
    [expect.stringMatching(/^2 calls .* not judged: Rate exceeded/)],
  ],
  ["is the limiter's where all have it", [of(page), of(own, 'GET /b')], [0, 1], []],
])("ahmetb/cloud-run-faq#54: a platform's 429 %s", (_, samples, kept, says) => {
  const left = withoutForeign({ api: 'workspace', label: 'k' }, samples);
  expect(left).toEqual({ samples: kept.map((at) => samples[at]), says });
});

import { expect, test } from 'vitest';
import { judgeProbes, whileRefused } from '../../../../limits/judge/probes.ts';
import { sampleOf } from '../../../../limits/judge/trace.ts';

const terms = { key: 'key', windowMs: 60_000, refusal: 429, possible: { froms: [], tos: [] } };

/** Calls one after the other, by their status: plain ones, and those with `@` of another route while the key is refused. */
function samplesOf(trace: string, { apart, takes } = { apart: 1000, takes: 5 }) {
  return trace.split(' ').map((word, index) => {
    const isProbe = word.startsWith('@');
    const phase = isProbe ? whileRefused : word.startsWith('twin') ? 'twin' : 'probe';
    const sentAt = apart * index;
    const call = { sentAt, receivedAt: sentAt + takes, status: Number(word.replace(/\D/g, '')), key: 'key', phase };
    return { ...sampleOf(call, () => null), ...(phase === 'probe' ? {} : { route: 'POST /other' }) };
  });
}

test.each([
  ['a 5xx each time, and accepted later', '429 @503 429 429 @503 429 twin200', 'failed'],
  ['a 5xx once, then accepted between refusals', '429 @503 429 429 @200 429', 'undecided'],
  ['a 5xx once, then accepted twice between refusals', '429 @503 429 429 @200 429 @200 429', 'admitted'],
  ['a 400', '429 @400 429 twin200', 'undecided'],
  ['a redirect, which may come before the limiter', '429 @302 429', 'undecided'],
])('a call of another kind while the key is refused: %s', (_, trace, outcome) => {
  expect(judgeProbes(samplesOf(trace), terms).map((probe) => probe.outcome)).toEqual([outcome]);
});

test.each([
  ['at once, their ends rounded up to a millisecond', { apart: 5, takes: 6 }, 'admitted'],
  ['while others are under way', { apart: 5, takes: 8 }, 'undecided'],
])('a call is accepted between refusals, each sent %s', (_, times, outcome) => {
  expect(judgeProbes(samplesOf('429 @200 429', times), terms)).toMatchObject([{ outcome }]);
});

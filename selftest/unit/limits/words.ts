import { type Sample, sampleOf } from '../../../limits/judge/trace.ts';

const marks: Readonly<Record<string, Partial<Sample>>> = {
  '!': { status: 429 },
  '?': { status: 0 },
  '^': { phase: 'before' },
  '@': { route: 'another' },
};

/**
 * Calls of a key, a word each: `3:5` was sent in second 3 and told a Remaining of 5, `3-4` was under way for a second. In place of
 * the colon, `!` is a call that was refused, `?` one without an answer, `^` an earlier check's, `@` one of another route.
 */
export function samplesOf(trace: string, limit: number): Sample[] {
  return trace.split(' ').map((word) => {
    const [, from, to, mark = ':', value = ''] = /^([\d.]+)(?:-([\d.]+))?([:!?^@])?(\d+)?$/.exec(word) ?? [];
    const headers: Readonly<Record<string, string>> =
      value === '' ? {} : { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': value };
    const sentAt = Number(from) * 1000;
    const call = { sentAt, receivedAt: to === undefined ? sentAt + 5 : Number(to) * 1000, key: 'key' };
    return { ...sampleOf({ ...call, status: 200, phase: 'burst' }, (name) => headers[name] ?? null), ...marks[mark] };
  });
}

import { type Sample, sampleOf } from '../../../limits/judge/trace.ts';

const marks: Readonly<Record<string, Partial<Sample>>> = {
  '!': { status: 429 },
  '?': { status: 0 },
};

/**
 * Calls of a key, one word each: `3:5` was sent in second 3 and its response had Remaining 5; `3-4` took a second.
 * Instead of the colon, `!` is a refused call, `?` a call without an answer.
 */
export function samplesOf(trace: string, limit: number): Sample[] {
  return trace.split(' ').map((word) => {
    const [, from, to, mark = ':', value = ''] = /^([\d.]+)(?:-([\d.]+))?([:!?])?(\d+)?$/.exec(word) ?? [];
    const headers: Readonly<Record<string, string>> =
      value === '' ? {} : { 'X-RateLimit-Limit': String(limit), 'X-RateLimit-Remaining': value };
    const sentAt = Number(from) * 1000;
    const call = { sentAt, receivedAt: to === undefined ? sentAt + 5 : Number(to) * 1000, key: 'key' };
    return { ...sampleOf({ ...call, status: 200, phase: 'burst' }, (name) => headers[name] ?? null), ...marks[mark] };
  });
}

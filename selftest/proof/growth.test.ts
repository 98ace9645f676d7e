import { describe, expect, test } from 'vitest';
import { jsonReaders, textReaders } from '../unit/fuzz/readers.ts';

const units = ['<a', '<>;', '"', ', ', ' ', '1 ', '%25', '\\u0041', '[', '{{', 'a=b,', 'A/'];

/** Header lines are bounded by the client; the rest comes in bodies, files and settings. */
const isHeader = (name: string): boolean => /header/.test(name);
/** Eight times the input may take so many times as long: a quadratic reader takes 64. Shorter runs tell nothing. */
const [factor, most, leastMs] = [8, 32, 16];

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** The shortest of a few runs: ms that this thread worked, whatever else the machine does. */
function timeOf(work: () => unknown): number {
  const times = [1, 2].map(() => {
    const before = process.threadCpuUsage();
    try {
      work();
    } catch {
      // Refused in words: see fuzz.test.ts.
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/** How much longer eight times as much takes: the least of a few attempts, since others disturb; 1 where it cannot be told. */
function growthOf<T>(read: (input: T) => unknown, small: T, large: T): number {
  let least = Infinity;
  for (let attempt = 1; attempt <= 4 && least > most; attempt += 1) {
    const [before, after] = [timeOf(() => read(small)), timeOf(() => read(large))];
    least = Math.min(least, after < leastMs ? 1 : after / Math.max(before, leastMs / factor));
  }
  return least;
}

describe('eight times as much takes no 64 times as long', () => {
  test.for(Object.entries(textReaders))('%s', ([name, read]) => {
    const length = isHeader(name) ? 32_768 : 600_000;
    const grown = units
      .map((unit) => ({ unit, growth: growthOf(read, fill(unit, length / factor), fill(unit, length)) }))
      .filter(({ growth }) => growth > most);
    expect(grown).toEqual([]);
  });

  const shapes: Readonly<Record<string, (count: number) => unknown>> = {
    'a long list': (count) => Array.from({ length: count }, (_, index) => ({ id: index })),
    'many fields': (count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x'])),
    'lists in lists': (count) => Array.from({ length: count >> 4 }, () => [[{ id: [{}] }], []]),
    'one text': (count) => ({ data: [{ id: 'a'.repeat(20 * count), next: '?'.repeat(20 * count) }] }),
    'one name': (count) => ({ ['n'.repeat(20 * count)]: 1 }),
  };
  test.for(Object.entries(jsonReaders))('%s', ([, read]) => {
    const grown = Object.entries(shapes)
      .map(([shape, make]) => ({ shape, growth: growthOf(read, make(6_250), make(50_000)) }))
      .filter(({ growth }) => growth > most);
    expect(grown).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../common/redact.ts';
import { readRecording } from '../../../suites/recorded/recording.ts';
import { call, harOf, path, source } from '../../unit/suites/recorded/recordings.ts';
import { factor, growthOf, most } from './growth.ts';
import { jsonReaders, textReaders } from './readers.ts';

const units = [
  '<a',
  '<>;',
  '"',
  ', ',
  ' ',
  '1 ',
  '%25',
  '\\u0041',
  '[',
  '{{',
  'a=b,',
  'A/',
  'z',
  '0',
  '-',
  '=',
  'A_',
  'a.',
  '/',
  '\r',
  'or ',
];

/** Readers of header lines get less, since the client bounds these; others read bodies, files and settings. */
const isHeader = (name: string): boolean => /header/.test(name);
const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

describe('eight times the input does not take 64 times as long', () => {
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
    'nested lists': (count) => Array.from({ length: count >> 4 }, () => [[{ id: [{}] }], []]),
    'one text': (count) => ({ data: [{ id: 'a'.repeat(20 * count), next: '?'.repeat(20 * count) }] }),
    'one name': (count) => ({ ['n'.repeat(20 * count)]: 1 }),
  };
  test.for(Object.entries(jsonReaders))('%s', ([, read]) => {
    const grown = Object.entries(shapes)
      .map(([shape, make]) => ({ shape, growth: growthOf(read, make(6_250), make(50_000)) }))
      .filter(({ growth }) => growth > most);
    expect(grown).toEqual([]);
  });

  const cookie = (value: string): object => ({ headers: [{ name: 'Cookie', value }] });
  const recordings: Readonly<Record<string, (bytes: number) => string>> = {
    entries: (bytes) => harOf(...Array.from({ length: bytes >> 9 }, (_, index) => call(`${path}?a=${index}`, {}, {}))),
    'other entries': (bytes) => harOf(call(path, {}, {}), ...Array.from({ length: bytes >> 3 }, () => 0)),
    'a body': (bytes) => harOf(call(path, {}, { content: { text: JSON.stringify({ a: 'x '.repeat(bytes >> 1) }) } })),
    'a header': (bytes) => harOf(call(path, cookie('a=b; '.repeat(bytes / 5)), {})),
    cookies: (bytes) =>
      harOf(...Array.from({ length: bytes >> 9 }, (_, n) => call(path, cookie(`s=session-${n}-${n * 7919}`), {}))),
    'a query': (bytes) => harOf(call(`${path}?${'token=abcdefgh&'.repeat(bytes / 15)}`, {}, {})),
  };
  test.for(Object.entries(recordings))('a recording with %s', ([, make]) => {
    const read = (har: string): unknown => readRecording(har, source, createRedactor());
    expect(growthOf(read, make(131_072), make(131_072 * factor))).toBeLessThanOrEqual(most);
  });
});

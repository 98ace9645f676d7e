import { expect, test } from 'vitest';
import { codeOf, files, filesIn, sources, textOf } from './source-files.ts';

const rooms = [...new Set(sources.map((file) => file.slice(0, file.indexOf('/'))))].filter((room) => room !== 'bin');
const code = filesIn(rooms);
const byHand = files.filter((file) => !/^(package-lock\.json|reports\/matrix\/.*|load\/k6\/go\.(mod|sum))$/.test(file));
const offending = (files: readonly string[], pattern: RegExp, read = textOf): string[] =>
  files.filter((file) => pattern.test(read(file)));

test.each(rooms)('%s/ says in the first line of its README which question it answers', (room) => {
  expect(textOf(`${room}/README.md`)).toMatch(/^# [^\n]*\?\n/);
});

test('no suppressed warning', () => {
  const typed = code.filter((file) => file !== 'selftest/house/files.test.ts');
  expect(offending(typed, /@ts-nocheck|@ts-expect-error|eslint-disable/, codeOf)).toEqual([]);
});

test('no path of one particular machine, and no package registry', () => {
  const machine =
    /(?<![\w.])\/(work|home\/\w+|Users\/\w+|root)\/\w|registry\.(npm|yarn)|\b(npmjs|proxy\.golang|sum\.golang)\.(org|com)/;
  expect(
    offending(
      byHand.filter((file) => file !== 'selftest/house/files.test.ts'),
      machine,
    ),
  ).toEqual([]);
});

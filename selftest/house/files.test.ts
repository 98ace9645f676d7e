import { expect, test } from 'vitest';
import { codeOf, files, filesIn, importsOf, textOf } from './source-files.ts';

const rooms = [
  'common',
  'contract',
  'results',
  'settings',
  'webhooks',
  'limits',
  'suites',
  'fixtures',
  'load',
  'reports',
  'cli',
  'selftest',
  'tools',
];
const code = filesIn(rooms);
const byHand = files.filter((file) => !/^(package-lock\.json|reports\/matrix\/.*|load\/k6\/go\.(mod|sum))$/.test(file));
const offending = (files: readonly string[], pattern: RegExp, read = textOf): string[] =>
  files.filter((file) => pattern.test(read(file)));

test.each(rooms)('%s/ says in the first line of its README which question it answers', (room) => {
  expect(textOf(`${room}/README.md`)).toMatch(/^# [^\n]*\?\n/);
});

test('no file is longer than 250 lines', () => {
  expect(code.length).toBeGreaterThan(300);
  expect(code.filter((file) => textOf(file).split('\n').length > 251)).toEqual([]);
});

test('files are named in kebab-case', () => {
  expect(code.filter((file) => !/^[a-z0-9-]+(\.test|\.d)?\.[jt]s$/.test(file.split('/').at(-1) ?? ''))).toEqual([]);
});

test('no merge or editor leaves its copies', () => {
  expect(files.filter((file) => /(~|\.(orig|rej|bak|swp))$/.test(file))).toEqual([]);
});

test('no barrels, and no default exports except those that k6 needs', () => {
  const forK6 = (file: string): boolean =>
    file.startsWith('load/scripts/') || importsOf(file).some((name) => name.startsWith('k6'));
  expect(offending(code, /^export \*/m)).toEqual([]);
  expect(
    code.filter(
      (file) =>
        // The entries of the package are meant to be nothing else.
        !/(^|\/)index\.ts$/.test(file) &&
        codeOf(file)
          .split('\n')
          .every((line) => line === '' || /^export \{.*\} from /.test(line)),
    ),
  ).toEqual([]);
  expect(offending(code, /^export default /m).filter((file) => !forK6(file))).toEqual([]);
});

test('no any, no enum, no namespace, and no suppressed warning', () => {
  const typed = code.filter((file) => file !== 'selftest/house/files.test.ts');
  expect(
    offending(
      typed,
      /(:|<|\bas) any\b|@ts-ignore|@ts-nocheck|@ts-expect-error|eslint-disable|^(export )?(const )?enum |^namespace /m,
      codeOf,
    ),
  ).toEqual([]);
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

test('imported files are under version control', () => {
  expect(code.filter((file) => importsOf(file).some((path) => path.startsWith('../') || path.startsWith('/')))).toEqual(
    [],
  );
});

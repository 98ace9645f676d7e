import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withTables } from '../../../tools/docs/tables.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('the tables are those of the contract (npm run readme writes them)', () => {
  expect(withTables(readme)).toBe(readme);
});

test('every npm command that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = [...readme.matchAll(/npm run ([a-z0-9:]+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file and folder that the README names in backticks exists or is made by a run', async () => {
  const { existsSync } = await import('node:fs');
  const named = [...readme.matchAll(/`((?:contract|suites|load|fixtures|reports|selftest)\/[\w./-]*)`/g)].map(
    ([, name]) => name ?? '',
  );
  const made = /^reports\/latest/;
  expect(named.filter((name) => !made.test(name) && !existsSync(new URL(`../../../${name}`, import.meta.url)))).toEqual(
    [],
  );
});

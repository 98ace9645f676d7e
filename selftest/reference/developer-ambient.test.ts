import { globSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = `${resolve(import.meta.dirname, '../..')}/`;
const files = globSync('fixtures/reference/**/*.ts', { cwd: root });

/** Files with a pattern in them, but for those that may have it. */
const having = (pattern: RegExp, ...allowed: readonly string[]): string[] => files
  .filter((file) => !allowed.some((name) => file.endsWith(name)) && pattern.test(readFileSync(root + file, 'utf8')));

test('the reference has its time from the clock it is given', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(having(/\bDate\.now\b|\bnew Date\(\)|\bperformance\b|\bset(Timeout|Interval|Immediate)\b|\bprocess\.hrtime\b/, 'reference/clock.ts')).toEqual([]);
});

test('the reference draws from the seed it is given', () => {
  expect(having(/\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b/)).toEqual([]);
});

test('the reference stands on the contract and on libraries', () => {
  const imported = files.flatMap((file) => [...readFileSync(root + file, 'utf8').matchAll(/from '(\.[^']+)'/g)]
    .map(([, path]) => posix.join(posix.dirname(file), path ?? '')));
  expect(imported.filter((path) => !path.startsWith('contract/') && !path.startsWith('fixtures/reference/'))).toEqual([]);
});

test('the app knows nothing of faults and choices', () => {
  const variations = /\/(faults|choices)(\.ts|\/)|from '[^']*\/(faults|choices)/;
  expect(files.filter((file) => file.includes('/developer/') && !variations.test(file) && variations.test(readFileSync(root + file, 'utf8')))).toEqual([]);
});

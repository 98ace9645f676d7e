import { expect, test } from 'vitest';
import { table, withSection } from '../../../tools/page.ts';

test('a section replaces its predecessor, and the others stay', () => {
  const first = withSection(withSection('# Page\n', 'a', 'one'), 'b', 'two');
  const second = withSection(first, 'a', 'three');
  expect(second).toBe(first.replace('one', 'three'));
  expect(withSection(second, 'b', 'two')).toBe(second);
  expect(second.match(/begin/g)).toHaveLength(2);
});

test('a table has a row of dashes below its header', () => {
  expect(table(['a', 'b'], [['1', '2']])).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
});

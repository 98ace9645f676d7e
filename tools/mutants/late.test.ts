import { describe, expect, test } from 'vitest';
import { chosenLate, lateSwitches } from './late.ts';

/** Runs instrumented code with a mutant on. */
function run(code: string, active: string): { result: unknown; covered: string[] } {
  const covered: string[] = [];
  const switches = {
    isActive: (number: string) => number === active,
    cover: (...numbers: string[]) => {
      covered.push(...numbers);
    },
  };
  const names = { stryMutAct_9fa48: switches.isActive, stryCov_9fa48: switches.cover, ...lateSwitches(switches) };
  return { result: new Function(...Object.keys(names), chosenLate(code))(...Object.values(names)) as unknown, covered };
}

describe('mutants of functions and patterns at the top of a module act when these are used', () => {
  const twice = 'const twice = stryMutAct_9fa48("1") ? () => undefined : (stryCov_9fa48("1"), n => n * 2);';
  const word =
    'const word = stryMutAct_9fa48("2") ? /^a[/]?/ : stryMutAct_9fa48("3") ? /b\\/$/ : (stryCov_9fa48("2", "3"), /^a[/]b$/);';

  test('a function', () => {
    expect(run(`${twice} return twice`, '1').covered).toEqual([]);
    expect(run(`${twice} return twice(4)`, '')).toEqual({ result: 8, covered: ['1'] });
    expect(run(`${twice} return twice(4)`, '1')).toEqual({ result: undefined, covered: ['1'] });
  });

  test.each([
    ['', [true, false, 'a-b'.split('-').length]],
    ['2', [true, true, 2]],
    ['3', [false, false, 2]],
  ] as const)('a pattern, with %s', (active, expected) => {
    expect(run(`${word} return [word.test('a/b'), word.test('ac'), 'a-b'.split('-').length]`, active).result).toEqual(
      expected,
    );
  });

  test('every way to use a pattern', () => {
    const dash = 'const dash = stryMutAct_9fa48("4") ? /\\+/g : (stryCov_9fa48("4"), /-/g);';
    const uses = `${dash} return ['a-b+c-d'.split(dash), 'a-b+c'.replace(dash, '_'), 'a-b+c'.replaceAll(dash, '_'), [...'a-b+c-'.matchAll(dash)].length, 'a-b'.match(dash), 'a+b'.search(dash)]`;
    expect(run(uses, '').result).toEqual([['a', 'b+c', 'd'], 'a_b+c', 'a_b+c', 2, ['-'], -1]);
    expect(run(uses, '4').result).toEqual([['a-b', 'c-d'], 'a-b_c', 'a-b_c', 1, null, 1]);
  });
});

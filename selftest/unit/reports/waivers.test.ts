import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { applyWaivers, parseWaivers, readWaivers, type Waiver } from '../../../results/waivers.ts';
import { type Outcome, resultsOf, today } from './sample.ts';

const waiver: Waiver = { clause: 'developer.auth.header', reason: 'known since June', expires: '2026-12-31' };

describe('a file of waivers', () => {
  test('may be a list, or a list under waivers', () => {
    expect(parseWaivers(JSON.stringify([waiver]), 'w.json')).toEqual([waiver]);
    expect(parseWaivers(`\ufeff${JSON.stringify({ waivers: [waiver] })}`, 'w.json')).toEqual([waiver]);
    expect(parseWaivers('[]', 'w.json')).toEqual([]);
  });

  test.each([
    ['{', /^Cannot use WAIVERS w\.json: it is not JSON \(/],
    ['"all"', /w\.json: it may be a list of {"clause", "reason", "expires"}, or {"waivers": \[that list\]}$/],
    ['{"waivers": {}}', /it may be a list/],
    ['null', /it may be a list/],
    ['[7]', /entry 1: 7 is no object with clause, reason and expires$/],
    [
      JSON.stringify([waiver, { clause: 'developer.auth.query', expires: '2026-12-31' }]),
      /entry 2: reason is missing, and may be a text that says why$/,
    ],
    [
      JSON.stringify([{ ...waiver, expires: '2026-02-30' }]),
      /entry 1: expires is "2026-02-30", and may be a date such as "2026-12-31"$/,
    ],
    [JSON.stringify([{ ...waiver, expires: 20261231 }]), /entry 1: expires is 20261231, and may be a date/],
    [JSON.stringify([{ ...waiver, reason: ' ' }]), /entry 1: reason is " ", and may be a text that says why$/],
    [
      JSON.stringify([{ ...waiver, clause: null }]),
      /entry 1: clause is null, and may be a clause id such as "developer\.envelope\.json"$/,
    ],
    [
      JSON.stringify([{ clause: waiver.clause, reason: waiver.reason, expire: waiver.expires }]),
      /entry 1: expires is missing, and may be a date such as "2026-12-31"$/,
    ],
    [JSON.stringify([waiver, waiver]), /entry 2: clause "developer\.auth\.header" already stands in entry 1$/],
  ])('is refused: %s', (text, message) => {
    expect(() => parseWaivers(text, 'w.json')).toThrow(CannotRun);
    expect(() => parseWaivers(text, 'w.json')).toThrow(message);
  });

  test('may say more of a failure than the suite reads', () => {
    expect(
      parseWaivers(JSON.stringify({ waivers: [{ ...waiver, ticket: 'API-12', owner: 'keys team' }] }), 'w.json'),
    ).toMatchObject([waiver]);
  });

  test('is read from disk, or refused by name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waivers-'));
    const file = join(folder, 'known.json');
    writeFileSync(file, JSON.stringify([waiver]));
    expect(readWaivers(file)).toEqual([waiver]);
    rmSync(folder, { recursive: true });
    expect(() => readWaivers(file)).toThrow(/^Cannot use WAIVERS .*known\.json: ENOENT/);
  });
});

const finding = { message: 'Key is refused: 401', curl: 'curl x' };
const outcome = (verdict: Outcome['verdict']): Outcome => ({ verdict, findings: verdict === 'pass' ? [] : [finding] });
const applied = (verdict: Outcome['verdict'], given: Partial<Waiver> = {}) => {
  const { results, problems, notes } = applyWaivers(
    resultsOf({ 'developer.auth.header': outcome(verdict) }),
    [{ ...waiver, ...given }],
    today,
  );
  return { result: results.find(({ id }) => id === 'developer.auth.header'), problems, notes };
};

describe('a waiver', () => {
  test('sets a failure aside, and keeps its findings', () => {
    const { result, problems, notes } = applied('fail');
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      waiver: { reason: 'known since June', expires: '2026-12-31' },
    });
    expect(result?.findings).toEqual([
      { message: 'Failure is waived until 2026-12-31: known since June (it counts again without the waiver)' },
      finding,
    ]);
    expect([problems, notes]).toEqual([[], []]);
  });

  test('sets a failed should aside', () => {
    const clause = 'developer.scopes.no-effect';
    const { results, problems } = applyWaivers(
      resultsOf({ [clause]: outcome('warn') }),
      [{ ...waiver, clause }],
      today,
    );
    expect(results.find(({ id }) => id === clause)).toMatchObject({ verdict: 'inconclusive', waiver: {} });
    expect(problems).toEqual([]);
  });

  test.each(['inconclusive', 'skip', 'broken'] as const)('stays where the clause is %s, with a note', (verdict) => {
    const { result, problems, notes } = applied(verdict);
    expect(result).toMatchObject({ verdict });
    expect(result?.waiver).toBeUndefined();
    expect([problems, notes]).toEqual([
      [],
      [`Waiver was not needed this time, and stays: developer.auth.header is ${verdict}`],
    ]);
  });

  test.each([
    ['a clause that passes', 'pass', {}, 'Waiver is not needed: developer.auth.header passes (remove it)'],
    [
      'no clause',
      'pass',
      { clause: 'developer.auth.heder' },
      'Waiver names no clause: developer.auth.heder (correct or remove it)',
    ],
    [
      'a gap',
      'pass',
      { clause: 'developer.auth.precedence' },
      'Waiver is not needed: developer.auth.precedence is a gap and cannot fail (remove it)',
    ],
    [
      'a past day, the clause failing',
      'fail',
      { expires: '2026-11-04' },
      'Waiver has expired: developer.auth.header on 2026-11-04 (remove it, or decide anew)',
    ],
    [
      'a past day, the clause passing',
      'pass',
      { expires: '2026-11-04' },
      'Waiver has expired: developer.auth.header on 2026-11-04 (remove it, or decide anew)',
    ],
  ] as const)('that names %s is a problem', (_name, verdict, given, problem) => {
    const { result, problems } = applied(verdict, given);
    expect(problems).toEqual([problem]);
    expect(result?.verdict).toBe(verdict);
  });

  test('holds on its last day', () => expect(applied('fail', { expires: '2026-11-05' }).problems).toEqual([]));
});

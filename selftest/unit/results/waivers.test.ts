import { describe, expect, test } from 'vitest';
import { applyWaivers, type Waiver } from '../../../results/waivers.ts';
import { type Outcome, resultsOf, today } from '../reports/sample.ts';

const waiver: Waiver = { clause: 'developer.auth.header', reason: 'known since June', expires: '2026-12-31' };

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
  test('excuses a failure, and keeps its findings', () => {
    const { result, problems, notes } = applied('fail');
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      waiver: { reason: 'known since June', expires: '2026-12-31' },
    });
    expect(result?.findings).toEqual([{ message: 'Failure is waived until 2026-12-31: known since June' }, finding]);
    expect([problems, notes]).toEqual([[], []]);
  });

  test('excuses a failed should', () => {
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
      [`Waiver not needed in this run: developer.auth.header was ${verdict === 'skip' ? 'skipped' : verdict}`],
    ]);
  });

  const [gap, unknown, past] = ['developer.auth.precedence', 'developer.auth.heder', { expires: '2026-11-04' }];
  test.each<[string, Outcome['verdict'], Partial<Waiver>, string]>([
    ['a clause that passes', 'pass', {}, 'is unused: developer.auth.header passes (remove it)'],
    ['no clause', 'pass', { clause: unknown }, 'for an unknown clause: developer.auth.heder (correct or remove it)'],
    ['a gap', 'pass', { clause: gap }, 'is unused: developer.auth.precedence is a gap and cannot fail (remove it)'],
    ['a past day', 'fail', past, 'has expired: developer.auth.header on 2026-11-04 (remove or renew it)'],
    ['a past day of a pass', 'pass', past, 'has expired: developer.auth.header on 2026-11-04 (remove or renew it)'],
  ])('that names %s is a problem', (_name, verdict, given, problem) => {
    const { result, problems } = applied(verdict, given);
    expect(problems).toEqual([`Waiver ${problem}`]);
    expect(result?.verdict).toBe(verdict);
  });

  test('holds on its last day', () => expect(applied('fail', { expires: '2026-11-05' }).problems).toEqual([]));
});

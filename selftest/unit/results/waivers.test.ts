import { expect, test } from 'vitest';
import { applyWaivers, type Waiver } from '../../../results/waivers.ts';
import { type Outcome, resultsOf, today } from '../reports/sample.ts';

const waiver: Waiver = { clause: 'developer.auth.header', reason: 'known since June', expires: '2026-12-31' };
const finding = { message: 'Key is refused: 401', curl: 'curl x' };

const applied = (verdict: Outcome['verdict'], given: Partial<Waiver> = {}, id = 'developer.auth.header') => {
  const outcome: Outcome = { verdict, findings: verdict === 'pass' ? [] : [finding] };
  const { results, problems, notes } = applyWaivers(resultsOf({ [id]: outcome }), [{ ...waiver, ...given }], today);
  return { result: results.find((one) => one.id === id), problems, notes };
};

test('a waiver excuses a failure, and keeps its findings', () => {
  const { result, problems, notes } = applied('fail');
  expect([result?.verdict, result?.waiver]).toEqual([
    'inconclusive',
    { reason: 'known since June', expires: '2026-12-31' },
  ]);
  expect(result?.findings).toEqual([{ message: 'Failure is waived until 2026-12-31: known since June' }, finding]);
  expect([problems, notes]).toEqual([[], []]);
  const should = 'developer.scopes.no-effect';
  expect(applied('warn', { clause: should }, should)).toMatchObject({ result: { waiver: {} }, problems: [] });
  expect(applied('fail', { expires: '2026-11-05' }).problems).toEqual([]);
});

const [gap, unknown, past] = ['developer.auth.precedence', 'developer.auth.heder', { expires: '2026-11-04' }];
test.each<[string, Outcome['verdict'], Partial<Waiver>, string]>([
  ['a clause that passes', 'pass', {}, 'Waiver is unused: developer.auth.header passes (remove it)'],
  ['no clause', 'pass', { clause: unknown }, `Waiver for an unknown clause: ${unknown} (correct or remove it)`],
  ['a gap', 'pass', { clause: gap }, `Waiver is unused: ${gap} is a gap and cannot fail (remove it)`],
  ['a past day', 'fail', past, 'Waiver has expired: developer.auth.header on 2026-11-04 (remove or renew it)'],
  ['a clause left open', 'inconclusive', {}, 'Waiver not needed in this run: developer.auth.header was inconclusive'],
  ['a clause that is skipped', 'skip', {}, 'Waiver not needed in this run: developer.auth.header was skipped'],
])('a waiver of %s changes no verdict, and is told', (_name, verdict, given, told) => {
  const { result, problems, notes } = applied(verdict, given);
  expect([...problems, ...notes]).toEqual([told]);
  expect([result?.verdict, result?.waiver, notes.length]).toEqual([
    verdict,
    undefined,
    Number(/not needed/.test(told)),
  ]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Circumstances, conclude } from '../../../results/conclude.ts';
import { run } from './arbitrary.ts';
import { type Outcome, resultsOf, skipping } from './sample.ts';

const plain: Circumstances = { strict: false, targeted: ['developer', 'workspace'] };
const finding = [{ message: 'Key is refused: set LIVE_API_KEY' }];
const failed: Readonly<Record<string, Outcome>> = { 'developer.auth.header': { verdict: 'fail', findings: finding } };
const warned: Readonly<Record<string, Outcome>> = {
  'developer.scopes.no-effect': { verdict: 'warn', findings: finding },
};
const broken: Readonly<Record<string, Outcome>> = {
  'developer.ads.campaigns': { verdict: 'broken', findings: finding },
};
const undecided = skipping('workspace', 'Not tried: set WORKSPACE_API_KEY');
const stale = ['Waiver is not needed: developer.auth.query passes (remove it)'];

const table: readonly (readonly [
  name: string,
  outcomes: Readonly<Record<string, Outcome>>,
  given: Partial<Circumstances>,
  exit: number,
  reason: RegExp,
])[] = [
  ['all pass', {}, {}, 0, /^129 of 150 clauses passed and no must failed, 21 observed$/],
  ['a must failed', failed, {}, 1, /^1 must failed \(developer\.auth\.header\)$/],
  ['a should failed', warned, {}, 0, /1 warning,/],
  [
    'a should failed, with STRICT',
    warned,
    { strict: true },
    1,
    /^1 should failed, and STRICT is set \(developer\.scopes\.no-effect\)$/,
  ],
  ['a check broke', broken, {}, 2, /^1 check of the suite itself broke \(developer\.ads\.campaigns\): report it$/],
  ['a must failed and a check broke', { ...failed, ...broken }, {}, 1, /^1 must failed/],
  ['a should failed with STRICT and a check broke', { ...warned, ...broken }, { strict: true }, 1, /^1 should failed/],
  ['a must failed and the other API was not judged', { ...undecided, ...failed }, {}, 1, /^1 must failed/],
  [
    'a targeted API was not judged',
    undecided,
    {},
    2,
    /^nothing was judged for the workspace API, most often because: Not tried: set WORKSPACE_API_KEY$/,
  ],
  ['an API that is not targeted was not judged', undecided, { targeted: ['developer'] }, 0, /56 skipped/],
  ['nothing was chosen of an API', undecided, { selected: (id) => id.startsWith('developer.') }, 0, /passed/],
  [
    'only undecided clauses were chosen',
    undecided,
    { selected: (id) => id === 'workspace.auth.bearer' },
    2,
    /^nothing was judged/,
  ],
  [
    'only a gap was chosen, and observed',
    {},
    { selected: (id) => id === 'developer.auth.precedence', targeted: ['developer'] },
    0,
    /passed/,
  ],
  [
    'the run was not carried through',
    {},
    { trouble: 'Target is out of reach:\n check BASE_URL' },
    2,
    /^Target is out of reach: check BASE_URL$/,
  ],
  ['the run was not carried through and a must failed', failed, { trouble: 'Interrupted' }, 1, /^1 must failed/],
  ['a waiver no longer holds', {}, { waiverProblems: stale }, 1, /^Waiver is not needed/],
  ['a waiver no longer holds and a check broke', broken, { waiverProblems: stale }, 2, /broke.*; Waiver is not needed/],
  [
    'a waiver no longer holds and a must failed',
    failed,
    { waiverProblems: stale },
    1,
    /^1 must failed.*; Waiver is not needed/,
  ],
];

describe('how a run ends', () => {
  test.each(table)('%s', (_name, outcomes, given, exitCode, reason) => {
    const conclusion = conclude(resultsOf(outcomes), { ...plain, ...given });
    expect(conclusion).toMatchObject({ exitCode, conformant: [true, false, null][exitCode] });
    expect(conclusion.reason).toMatch(reason);
  });

  test('a waived failure judges its API and fails nothing', () => {
    const results = resultsOf(skipping('workspace', 'Not tried')).map((result) =>
      result.id === 'workspace.auth.bearer'
        ? { ...result, verdict: 'inconclusive' as const, waiver: { reason: 'known', expires: '2027-01-01' } }
        : result,
    );
    expect(conclude(results, plain)).toMatchObject({
      exitCode: 0,
      reason: expect.stringContaining('nothing failed but the 1 that WAIVERS sets aside') as string,
    });
  });

  test('the reason is one line that ends, whatever the findings say', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(run, ({ reason }) => {
        expect(reason).toMatch(/^\S.*\S$|^\S$/);
        expect(reason.length).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 50 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clause } from '../../../contract/clause.ts';
import { clauses } from '../../../contract/clauses.ts';
import { developerClauses } from '../../../contract/developer-clauses.ts';
import { type Circumstances, conclude } from '../../../results/conclude.ts';
import { run } from '../reports/arbitrary.ts';
import { type Outcome, resultsOf, skipping } from '../reports/sample.ts';

const counts = (from: readonly Clause[]): number[] => [from.length, from.filter(({ level }) => level === 'gap').length];
const [all = 0, gaps = 0] = counts(clauses);
const [own = 0, ownGaps = 0] = counts(developerClauses);
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
const stale = ['Waiver is unused: developer.auth.query passes (remove it)'];

const table: readonly (readonly [
  name: string,
  outcomes: Readonly<Record<string, Outcome>>,
  given: Partial<Circumstances>,
  exit: number,
  reason: RegExp,
])[] = [
  ['all pass', {}, {}, 0, new RegExp(`^${all - gaps} of ${all} clauses passed, ${gaps} observed$`)],
  ['a must failed', failed, {}, 1, /^1 must clause failed \(developer\.auth\.header\)$/],
  [
    'a should failed',
    warned,
    {},
    0,
    new RegExp(`^${all - gaps - 1} of ${all} clauses passed, ${gaps} observed, 1 warning$`),
  ],
  [
    'a should failed, with STRICT',
    warned,
    { strict: true },
    1,
    /^1 should clause failed, which STRICT=1 counts \(developer\.scopes\.no-effect\)$/,
  ],
  [
    'clauses wait for another',
    {
      'developer.keys.create': { verdict: 'inconclusive', findings: [{ message: 'Full', cause: 'Delete keys' }] },
      'developer.keys.list': {
        verdict: 'inconclusive',
        findings: [{ message: 'No key', blames: 'developer.keys.create' }],
      },
    },
    {},
    0,
    /2 inconclusive; developer\.keys\.create blocks 1 clause: Delete keys$/,
  ],
  [
    'clauses wait for several others',
    {
      'workspace.agents.create': { verdict: 'inconclusive', findings: [{ message: 'Refused', advice: 'Add a body' }] },
      'workspace.leads.create': { verdict: 'inconclusive', findings: [{ message: 'Refused', advice: 'Add a body' }] },
      'workspace.agents.get': {
        verdict: 'inconclusive',
        findings: [{ message: '-', blames: 'workspace.agents.create' }],
      },
      'workspace.agents.list': {
        verdict: 'inconclusive',
        findings: [{ message: '-', blames: 'workspace.agents.create' }],
      },
      'workspace.leads.get': {
        verdict: 'inconclusive',
        findings: [{ message: '-', blames: 'workspace.leads.create' }],
      },
    },
    {},
    0,
    /workspace\.agents\.create blocks 2 clauses: Add a body; then workspace\.leads\.create \(1\)$/,
  ],
  [
    'a check broke',
    broken,
    {},
    2,
    /^1 check crashed, which is a bug in the suite: please report it \(developer\.ads\.campaigns\)$/,
  ],
  ['a must failed and a check broke', { ...failed, ...broken }, {}, 1, /^1 must clause failed/],
  [
    'a should failed with STRICT and a check broke',
    { ...warned, ...broken },
    { strict: true },
    1,
    /^1 should clause failed/,
  ],
  ['a must failed and the other API was not judged', { ...undecided, ...failed }, {}, 1, /^1 must clause failed/],
  [
    'a targeted API was not judged',
    undecided,
    {},
    2,
    /^no clause of the workspace API could be judged; the most common reason: Not tried: set WORKSPACE_API_KEY$/,
  ],
  [
    'an API that is not a target',
    skipping('workspace', 'WORKSPACE_API_URL is not set', { outside: 'target' }),
    { targeted: ['developer'] },
    0,
    new RegExp(`^${own - ownGaps} of ${own} clauses of the developer API passed, ${ownGaps} observed$`),
  ],
  [
    'no clause of an API was chosen',
    skipping('workspace', 'Not chosen', { outside: 'selection' }),
    { selection: '-t developer' },
    0,
    new RegExp(
      `^${own - ownGaps} of ${own} chosen clauses passed, ${ownGaps} observed; -t developer excluded ${all - own} clauses$`,
    ),
  ],
  [
    'only undecided clauses were chosen',
    { ...skipping('developer', 'Not chosen', { outside: 'selection' }), ...undecided },
    { selection: '-t workspace' },
    2,
    /^no clause of the workspace API could be judged/,
  ],
  [
    'a must stays inconclusive',
    { 'developer.ads.campaigns': { verdict: 'inconclusive', findings: finding } },
    {},
    0,
    /1 inconclusive$/,
  ],
  [
    'a must stays inconclusive, with STRICT',
    { 'developer.ads.campaigns': { verdict: 'inconclusive', findings: finding } },
    { strict: true },
    2,
    /^1 must clause is inconclusive, which STRICT=1 does not accept \(developer\.ads\.campaigns\): the findings say what to do$/,
  ],
  [
    'settings would let more be decided',
    {
      'developer.sandbox.isolation': {
        verdict: 'skip',
        findings: [{ message: 'x', needs: { setting: 'LIVE_API_KEY' } }],
      },
      'developer.keys.list': {
        verdict: 'skip',
        findings: [{ message: 'x', needs: { setting: 'WRITES', value: 'all' } }],
      },
      'developer.keys.rotate': {
        verdict: 'inconclusive',
        findings: [{ message: 'x', needs: { setting: 'WRITES', value: 'all' } }],
      },
    },
    {},
    0,
    /; to judge more, set WRITES=all \(2\), LIVE_API_KEY \(1\)$/,
  ],
  [
    'the run was interrupted',
    {},
    { trouble: 'Target is out of reach:\n check BASE_URL' },
    2,
    /^Target is out of reach: check BASE_URL$/,
  ],
  ['the run was interrupted and a must failed', failed, { trouble: 'Interrupted' }, 1, /^1 must clause failed/],
  [
    'a waiver no longer holds',
    {},
    { waiverProblems: stale },
    1,
    /^the deployment is conformant, but the waiver file is out of date: Waiver is unused/,
  ],
  ['a waiver no longer holds and a check broke', broken, { waiverProblems: stale }, 2, /crashed.*; Waiver is unused/],
  [
    'a waiver no longer holds and a must failed',
    failed,
    { waiverProblems: stale },
    1,
    /^1 must clause failed.*; Waiver is unused/,
  ],
];

describe('how a run ends', () => {
  test.each(table)('%s', (_name, outcomes, given, exitCode, reason) => {
    const conclusion = conclude(resultsOf(outcomes), { ...plain, ...given });
    expect(conclusion).toMatchObject({ exitCode, conformant: [true, false, null][exitCode] });
    expect(conclusion.reason).toMatch(reason);
  });

  test('a waived failure counts as judged and fails nothing', () => {
    const results = resultsOf(skipping('workspace', 'Not tried')).map((result) =>
      result.id === 'workspace.auth.bearer'
        ? { ...result, verdict: 'inconclusive' as const, waiver: { reason: 'known', expires: '2027-01-01' } }
        : result,
    );
    expect(conclude(results, plain)).toMatchObject({
      exitCode: 0,
      reason: expect.stringContaining(', 1 waived, ') as string,
    });
  });

  test('the reason is one short line, whatever the findings say', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(run, ({ reason }) => {
        expect(reason).toMatch(/^\S.*\S$|^\S$/);
        expect(reason.length).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 50 },
    );
  });
});

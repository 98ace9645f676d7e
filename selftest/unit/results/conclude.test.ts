import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clause } from '../../../contract/clause.ts';
import { clauses } from '../../../contract/clauses.ts';
import { developerClauses } from '../../../contract/developer-clauses.ts';
import { type Circumstances, conclude } from '../../../results/conclude.ts';
import type { Finding } from '../../../results/verdict.ts';
import { run } from '../reports/arbitrary.ts';
import { type Outcome, resultsOf, skipping } from '../reports/sample.ts';

const counts = (from: readonly Clause[]): number[] => [from.length, from.filter(({ level }) => level === 'gap').length];
const [all = 0, gaps = 0] = counts(clauses);
const [own = 0, ownGaps = 0] = counts(developerClauses);
const plain: Circumstances = { strict: false, targeted: ['developer', 'workspace'] };
/** The outcomes of clauses, each with one finding. */
const having = (
  verdict: Outcome['verdict'],
  findings: Readonly<Record<string, Partial<Finding>>>,
): Readonly<Record<string, Outcome>> =>
  Object.fromEntries(
    Object.entries(findings).map(([id, given]) => [
      id,
      { verdict, findings: [{ message: 'Key is refused', ...given }] },
    ]),
  );
const failed = having('fail', { 'developer.auth.header': {} });
const warned = having('warn', { 'developer.scopes.no-effect': {} });
const broken = having('broken', { 'developer.ads.campaigns': {} });
const open = having('inconclusive', { 'developer.ads.campaigns': {} });
const undecided = skipping('workspace', 'Not tried: set WORKSPACE_API_KEY');
const outside = (api: 'developer' | 'workspace', by: 'target' | 'selection') =>
  skipping(api, 'Not chosen', { outside: by });
const stale = { waiverProblems: ['Waiver is unused: developer.auth.query passes (remove it)'] };
const strict = { strict: true };
const writes = { needs: { setting: 'WRITES', value: 'all' } };

const waitingForOne = having('inconclusive', {
  'developer.keys.create': { cause: 'Delete keys' },
  'developer.keys.list': { blames: 'developer.keys.create' },
});
const waitingForTwo = having('inconclusive', {
  'workspace.agents.create': { advice: 'Add a body' },
  'workspace.leads.create': { advice: 'Add a body' },
  'workspace.agents.get': { blames: 'workspace.agents.create' },
  'workspace.agents.list': { blames: 'workspace.agents.create' },
  'workspace.leads.get': { blames: 'workspace.leads.create' },
});
const settingsMissing = {
  ...having('skip', {
    'developer.sandbox.isolation': { needs: { setting: 'LIVE_API_KEY' } },
    'developer.keys.list': writes,
  }),
  ...having('inconclusive', { 'developer.keys.rotate': writes }),
};

const mustFailed = /^1 must clause failed \(developer\.auth\.header\)/;
const shouldFailed = /^1 should clause failed, which STRICT=1 counts \(developer\.scopes\.no-effect\)$/;
const notJudged =
  /^no clause of the workspace API could be judged; the most common reason: Not tried: set WORKSPACE_API_KEY$/;
const isBlocked = /2 inconclusive; developer\.keys\.create blocks 1 clause: Delete keys$/;
const areBlocked = /workspace\.agents\.create blocks 2 clauses: Add a body; then workspace\.leads\.create \(1\)$/;
const isCrashed = /^1 check crashed, which is a bug in the suite: please report it \(developer\.ads\.campaigns\)$/;
const isOpen =
  /^1 must clause is inconclusive, which STRICT=1 does not accept \(developer\.ads\.campaigns\): the findings say what to do$/;
const allPass = `${all - gaps} of ${all} clauses passed, ${gaps} observed`;
const ownPass = `${own - ownGaps} of ${own} clauses of the developer API passed, ${ownGaps} observed`;
const chosenPass = `${own - ownGaps} of ${own} chosen clauses passed, ${ownGaps} observed; -t developer excluded ${all - own} clauses`;
const oneWarns = `${all - gaps - 1} of ${all} clauses passed, ${gaps} observed, 1 warning`;

const table: readonly (readonly [
  name: string,
  outcomes: Readonly<Record<string, Outcome>>,
  given: Partial<Circumstances>,
  exit: number,
  reason: RegExp | string,
])[] = [
  ['all pass', {}, {}, 0, allPass],
  ['a must failed', failed, {}, 1, mustFailed],
  ['a should failed', warned, {}, 0, oneWarns],
  ['a should failed, with STRICT', warned, strict, 1, shouldFailed],
  ['clauses wait for another', waitingForOne, {}, 0, isBlocked],
  ['clauses wait for several others', waitingForTwo, {}, 0, areBlocked],
  ['a check broke', broken, {}, 2, isCrashed],
  ['a must failed and a check broke', { ...failed, ...broken }, {}, 1, mustFailed],
  ['a should failed with STRICT and a check broke', { ...warned, ...broken }, strict, 1, shouldFailed],
  ['a must failed and the other API was not judged', { ...undecided, ...failed }, {}, 1, mustFailed],
  ['a targeted API was not judged', undecided, {}, 2, notJudged],
  ['an API is no target', outside('workspace', 'target'), { targeted: ['developer'] }, 0, ownPass],
  ['no clause of an API was chosen', outside('workspace', 'selection'), { selection: '-t developer' }, 0, chosenPass],
  ['only undecided clauses were chosen', { ...outside('developer', 'selection'), ...undecided }, {}, 2, notJudged],
  ['a must stays inconclusive', open, {}, 0, /1 inconclusive$/],
  ['a must stays inconclusive, with STRICT', open, strict, 2, isOpen],
  ['settings are missing', settingsMissing, {}, 0, /; to judge more, set WRITES=all \(2\), LIVE_API_KEY \(1\)$/],
  ['the run was interrupted', {}, { trouble: 'Out of reach:\n check BASE_URL' }, 2, 'Out of reach: check BASE_URL'],
  ['the run was interrupted and a must failed', failed, { trouble: 'Interrupted' }, 1, mustFailed],
  ['a waiver is stale', {}, stale, 1, /^the deployment is conformant, but the waiver file is out of date: Waiver is/],
  ['a waiver is stale and a check broke', broken, stale, 2, /crashed.*; Waiver is unused/],
  ['a waiver is stale and a must failed', failed, stale, 1, /^1 must clause failed.*; Waiver is unused/],
];

describe('how a run ends', () => {
  test.each(table)('%s', (_name, outcomes, given, exitCode, reason) => {
    const conclusion = conclude(resultsOf(outcomes), { ...plain, ...given });
    expect(conclusion).toMatchObject({ exitCode, conformant: [true, false, null][exitCode] });
    expect(conclusion.reason).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });

  test('a waived failure counts as judged and fails nothing', () => {
    const waiver = { reason: 'known', expires: '2027-01-01' };
    const results = resultsOf(undecided).map((result) =>
      result.id === 'workspace.auth.bearer' ? { ...result, verdict: 'inconclusive' as const, waiver } : result,
    );
    const { exitCode, reason } = conclude(results, plain);
    expect([exitCode, reason]).toEqual([0, expect.stringContaining(', 1 waived, ')]);
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

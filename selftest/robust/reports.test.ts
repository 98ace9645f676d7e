import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { consoleReport } from '../../reports/console/console.ts';
import { reportTexts } from '../../reports/write.ts';
import type { Run, Verdict } from '../../results/verdict.ts';
import { hostileText, observed } from '../hostile-texts.ts';
import { isNightly } from '../nightly.ts';
import { expectAgreement } from '../unit/reports/expect-agreement.ts';
import {
  exchangeWith,
  findingAbout,
  type Ingredients,
  type Outcome,
  resultsOf,
  runOf,
  skipping,
} from '../unit/reports/sample.ts';

const undecided = ['inconclusive', 'skip', 'broken'] as const;
const verdictsOf: Readonly<Record<'must' | 'should' | 'gap', readonly Verdict[]>> = {
  must: ['pass', 'fail', ...undecided],
  should: ['pass', 'warn', ...undecided],
  gap: ['observed', ...undecided],
};

const outcome = fc.constantFrom(...clauses).chain(({ id, level }) =>
  fc
    .record({ verdict: fc.constantFrom(...verdictsOf[level]), seen: observed })
    .map(({ verdict, seen }): [string, Outcome] => {
      const isOpen = verdict !== 'pass' && verdict !== 'observed';
      return [
        id,
        { verdict, findings: isOpen ? [findingAbout(1)] : [], observed: verdict === 'observed' ? (seen ?? 7) : null },
      ];
    }),
);

/** A run of any verdicts. In some, the clauses of an API are undecided. What texts do, hostile.test.ts shows. */
const run: fc.Arbitrary<Run> = fc
  .record({
    outcomes: fc.uniqueArray(outcome, { maxLength: 12, selector: ([id]) => id }),
    open: fc.constantFrom({}, {}, skipping('developer', 'Not decided'), skipping('workspace', 'Not decided')),
    waived: fc.subarray(
      clauses.map(({ id }): string => id),
      { maxLength: 4 },
    ),
    expires: fc.constantFrom('2026-11-04', '2026-11-05', '2027-01-01'),
    strict: fc.boolean(),
    trouble: fc.option(fc.constant('Trouble'), { freq: 6 }),
    embedded: fc.boolean(),
    selection: fc.option(hostileText, { freq: 3 }),
  })
  .map(({ outcomes, open, waived, expires, ...rest }) => {
    const failed = outcomes.flatMap(([id, { verdict }]) => (/^(fail|warn)$/.test(verdict) ? [id] : []));
    // A waiver of a clause that passes fails the run: most are for failed ones.
    const named = waived.length > 2 ? failed : waived;
    const waivers = named.map((clause) => ({ clause, reason: 'known', expires }));
    const made = runOf({ ...rest, results: resultsOf({ ...Object.fromEntries(outcomes), ...open }), waivers });
    return Object.assign(made, { [fc.toStringMethod]: () => fc.stringify({ ...made, clauses: outcomes }) });
  });

test('console, JSON, JUnit, HTML, summary and exit status agree on any run', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(run, (one) => {
      expectAgreement(one);
    }),
    { numRuns: isNightly ? 300 : 40 },
  );
});

const long = '😀<&"\u001b'.repeat(800_000);
const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, 'x'.repeat(100)]));
const deep = Array.from({ length: 5_000 }).reduce<unknown>(
  (inner, _, level) => (level % 2 === 0 ? [inner] : { deep: inner }),
  'bottom',
);
const findings = Array.from({ length: 3_000 }, (_, index) => ({ message: `Finding ${index}`, exchange: index }));
const shape = 'developer.errors.shape';

/** What a target sends, its reports' most characters where that is less than three million, and what one of them says. */
test.for<[string, () => Ingredients, Readonly<Record<string, number>>, [file: string, says: RegExp]]>([
  [
    'long texts',
    () => {
      const texts = { message: long, expected: long, actual: long, place: long, cause: long, curl: long };
      const results = resultsOf({
        'developer.auth.deleted-key': { verdict: 'fail', findings: [findingAbout(1, texts)] },
        [shape]: { verdict: 'observed', observed: { [long]: long } },
      });
      return { results, notes: [long], trouble: long };
    },
    {},
    ['console', /… \(cut, [\d,]+ characters in all\)/],
  ],
  [
    'deep and wide values',
    () => {
      const observed = { deep, wide, long: Array.from({ length: 20_000 }, () => wide) };
      return { results: resultsOf({ [shape]: { verdict: 'observed', observed } }) };
    },
    { console: 100_000 },
    ['conformance.json', /"key 1"/],
  ],
  [
    'thousands of wrong answers',
    () => {
      const request = { method: 'GET', url: 'https://x.example/', headers: [], body: 'y'.repeat(9_000) };
      return {
        results: resultsOf({ 'developer.envelope.json': { verdict: 'fail', findings } }),
        exchanges: findings.map((_, number) => exchangeWith({ number, request })),
      };
    },
    // Exchanges are cut when they are recorded.
    { 'conformance.html': 1_000_000, 'junit.xml': 200_000, 'exchanges.har': 40_000_000 },
    ['conformance.json', /2,801 further findings are left out/],
  ],
])(
  'a target that sends %s gets reports that can be opened, and say what was cut off',
  ([, ingredients, most, said]) => {
    const one = runOf(ingredients());
    const reports = new Map([...reportTexts(one), ['console', consoleReport(one)]]);
    for (const [name, report] of reports) {
      expect(report.length, name).toBeLessThan(most[name] ?? 3_000_000);
      expect(report.isWellFormed(), name).toBe(true);
    }
    expect(reports.get(said[0])).toMatch(said[1]);
  },
);

import fc from 'fast-check';
import { clauses } from '../../../contract/clauses.ts';
import type { Run, Verdict } from '../../../results/verdict.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { findingAbout, type Outcome, resultsOf, runOf, skipping } from './sample.ts';

const hostile = fc.constantFrom(...Object.values(hostileTexts));
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostile },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: hostile.map((text) => `${text} `.repeat(400).slice(0, 10_000)) },
);

/** Any JSON, hostile keys and texts included. */
export const observed: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue(),
  fc.dictionary(hostileText, fc.array(hostileText, { maxLength: 4 }), { maxKeys: 4 }),
);

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
export const run: fc.Arbitrary<Run> = fc
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

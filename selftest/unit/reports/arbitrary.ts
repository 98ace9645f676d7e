import fc from 'fast-check';
import { clauses } from '../../../contract/clauses.ts';
import type { Finding, Run, Verdict } from '../../../results/verdict.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { findingAbout, type Outcome, resultsOf, retold, runOf, skipping } from './sample.ts';
import { everything } from './sample-runs.ts';

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

const { message, ...fields } = findingAbout(1);
/** A finding with any of its fields. */
const finding: fc.Arbitrary<Finding> = fc
  .subarray(Object.entries(fields))
  .map((some) => ({ message, ...Object.fromEntries(some) }));

const undecided = ['inconclusive', 'skip', 'broken'] as const;
const verdictsOf: Readonly<Record<'must' | 'should' | 'gap', readonly Verdict[]>> = {
  must: ['pass', 'fail', ...undecided],
  should: ['pass', 'warn', ...undecided],
  gap: ['observed', ...undecided],
};

const outcome = fc
  .constantFrom(...clauses)
  .chain(({ id, level }) =>
    fc.tuple(fc.constant(id), fc.constantFrom(...verdictsOf[level]), fc.array(finding, { minLength: 1, maxLength: 3 })),
  )
  .chain(([id, verdict, findings]) =>
    observed.map((seen): [string, Outcome] => [
      id,
      verdict === 'pass' || verdict === 'observed'
        ? { verdict, observed: verdict === 'pass' ? null : (seen ?? 'nothing') }
        : { verdict, findings },
    ]),
  );

const anyClause = fc.constantFrom(...clauses).map(({ id }): string => id);

export const run: fc.Arbitrary<Run> = fc
  .record({
    outcomes: fc.uniqueArray(outcome, { maxLength: 12, selector: ([id]) => id }),
    /** In some runs the clauses of an API are undecided. */
    open: fc.constantFrom({}, {}, skipping('developer', 'Not decided'), skipping('workspace', 'Not decided')),
    /** Waivers for failed clauses, so that some runs are conformant because of them; else for any. */
    forgiving: fc.boolean(),
    waived: fc.option(anyClause),
    expires: fc.constantFrom('2026-11-04', '2026-11-05', '2027-01-01'),
    strict: fc.boolean(),
    trouble: fc.option(fc.constant('Trouble'), { freq: 6 }),
    embedded: fc.boolean(),
    selection: fc.option(hostileText, { freq: 3 }),
    texts: fc.array(hostileText, { minLength: 1, maxLength: 8 }),
  })
  .map(({ outcomes, open, forgiving, waived, expires, texts, trouble, ...rest }) => {
    const failed = outcomes.flatMap(([id, { verdict }]) => (/^(fail|warn)$/.test(verdict) ? [id] : []));
    const named = forgiving ? failed : [waived].flatMap((clause) => clause ?? []);
    const waivers = named.map((clause) => ({ clause, reason: 'known', expires: forgiving ? '2027-01-01' : expires }));
    let said = 0;
    const text = (): string => texts[(said += 1) % texts.length] ?? '';
    const { exchanges, deliveries, notes, profile } = everything;
    const results = resultsOf({ ...Object.fromEntries(outcomes), ...open });
    const told = retold({ results, exchanges, deliveries, notes }, text);
    const made = runOf({ ...rest, ...told, profile, waivers, trouble: trouble && `${trouble}: ${text()}` });
    return Object.assign(made, { [fc.toStringMethod]: () => fc.stringify({ ...made, clauses: outcomes }) });
  });

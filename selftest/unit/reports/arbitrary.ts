import fc from 'fast-check';
import type { Clause } from '../../../contract/clause.ts';
import { clauses } from '../../../contract/clauses.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Finding, Run, Verdict } from '../../../results/verdict.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { exchangeWith, type Outcome, resultsOf, runOf, skipping } from './sample.ts';

const hostile = fc.constantFrom(...Object.values(hostileTexts));
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostile },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: hostile.map((text) => `${text} `.repeat(400)) },
);

/** A finding with any of its fields; one with a request has a curl line, as the engine's have. */
const finding: fc.Arbitrary<Finding> = fc
  .record(
    {
      message: hostileText.map((text) => `Finding: ${text}`),
      ...{ expected: hostileText, actual: hostileText, place: hostileText, cause: hostileText },
      exchange: fc.integer({ min: 1, max: 6 }),
      call: fc.record({
        request: fc.record({ method: fc.constantFrom('GET', 'POST'), url: hostileText }),
        response: fc.record({ status: fc.integer({ min: 0, max: 999 }), traceId: fc.option(hostileText) }),
        curl: hostileText.map((text) => `curl ${text}`),
      }),
    },
    { requiredKeys: ['message'] },
  )
  .map(({ call, ...rest }) => ({ ...rest, ...call }));

/** Any JSON, hostile keys and texts included. */
export const observed: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue(),
  fc.dictionary(hostileText, fc.array(hostileText, { maxLength: 4 }), { maxKeys: 4 }),
);

const undecided = ['inconclusive', 'skip', 'broken'] as const;
const verdictsOf: Readonly<Record<Clause['level'], readonly Verdict[]>> = {
  must: ['pass', 'fail', ...undecided],
  should: ['pass', 'warn', ...undecided],
  gap: ['observed', ...undecided],
};

const outcome = ({ level }: Clause): fc.Arbitrary<Outcome> =>
  fc
    .tuple(fc.constantFrom(...verdictsOf[level]), fc.array(finding, { minLength: 1, maxLength: 3 }), observed)
    .map(([verdict, findings, seen]) => {
      const isFound = verdict !== 'pass' && verdict !== 'observed';
      return {
        verdict,
        findings: isFound ? findings : [],
        observed: verdict === 'observed' ? (seen ?? 'nothing') : null,
      };
    });

/** The clauses that did not pass; in some runs those of an API are undecided, too. */
const outcomes: fc.Arbitrary<Readonly<Record<string, Outcome>>> = fc
  .uniqueArray(fc.constantFrom(...clauses), { maxLength: 12, selector: ({ id }) => id })
  .chain((chosen) => fc.tuple(...chosen.map((clause) => outcome(clause).map((one) => [clause.id, one] as const))))
  .chain((entries) =>
    fc
      .constantFrom({}, {}, skipping('developer', 'Not decided'), skipping('workspace', 'Not decided'))
      .map((open) => ({ ...Object.fromEntries(entries), ...open })),
  );

const headers = fc.array(fc.tuple(fc.constantFrom('Content-Type', 'Location', 'X-Any'), hostileText), { maxLength: 3 });
const instant = fc.oneof(fc.integer({ min: 0, max: 2e12 }), fc.constantFrom(Number.NaN, 1e300));

const exchange: fc.Arbitrary<Exchange> = fc
  .record({
    number: fc.integer({ min: 1, max: 6 }),
    api: fc.constantFrom('developer' as const, 'workspace' as const),
    endpoint: fc.option(fc.constant('GET /v1/agents')),
    keyLabel: fc.option(hostileText),
    request: fc.record({
      method: fc.constantFrom('GET', 'POST'),
      url: hostileText.chain((text) => fc.constantFrom(text, `https://x.example/?q=${text}`)),
      headers,
      body: fc.option(hostileText),
    }),
    sentAt: instant,
    receivedAt: instant,
    response: fc.option(
      fc.record({
        status: fc.integer({ min: 100, max: 999 }),
        headers,
        text: hostileText,
        json: fc.constant(undefined),
      }),
    ),
    failure: fc.constant({ kind: 'closed' as const, message: 'ECONNRESET' }),
    curl: hostileText.map((text) => () => text),
  })
  .map((given) => exchangeWith(given));

const anyClause = fc.constantFrom(...clauses).map(({ id }): string => id);

export const run: fc.Arbitrary<Run> = fc
  .record({
    outcomes,
    /** Waivers for failed clauses, so that some runs are conformant because of them; else for any. */
    forgiving: fc.boolean(),
    waived: fc.option(anyClause),
    expires: fc.constantFrom('2026-11-04', '2026-11-05', '2027-01-01'),
    strict: fc.boolean(),
    trouble: fc.option(
      hostileText.map((text) => `Trouble: ${text}`),
      { freq: 6 },
    ),
    notes: fc.array(hostileText, { maxLength: 3 }),
    embedded: fc.boolean(),
    selection: fc.option(hostileText, { freq: 3 }),
    exchanges: fc.uniqueArray(exchange, { maxLength: 8, selector: ({ api, number }) => `${api} ${number}` }),
    drift: fc.option(
      fc.array(fc.record({ clause: anyClause, place: hostileText, before: observed, now: observed }), { maxLength: 3 }),
    ),
  })
  .map(({ outcomes: some, forgiving, waived, expires, ...rest }) => {
    const failed = Object.keys(some).filter((id) => /^(fail|warn)$/.test(some[id]?.verdict ?? ''));
    const named = forgiving ? failed : [waived].flatMap((clause) => clause ?? []);
    const waivers = named.map((clause) => ({ clause, reason: 'known', expires: forgiving ? '2027-01-01' : expires }));
    const made = runOf({ ...rest, results: resultsOf(some), waivers });
    return Object.assign(made, { [fc.toStringMethod]: () => fc.stringify({ ...made, clauses: some }) });
  });

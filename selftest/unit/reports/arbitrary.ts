import fc from 'fast-check';
import type { Clause } from '../../../contract/clause.ts';
import { clauses } from '../../../contract/clauses.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Finding, Run, Verdict } from '../../../results/verdict.ts';
import type { Waiver } from '../../../results/waivers.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { anyCharacter } from '../any-text.ts';
import { exchangeWith, type Outcome, resultsOf, runOf } from './sample.ts';

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.values(hostileTexts)) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.values(hostileTexts)).map((text) => `${text} `.repeat(400)) },
);

const message = hostileText.map((text) => `Finding: ${text}`);

/** A finding with any of its fields; one with a request has a curl line, as the engine's have. */
const finding: fc.Arbitrary<Finding> = fc
  .record(
    {
      message,
      expected: hostileText,
      actual: hostileText,
      place: hostileText,
      cause: hostileText,
      exchange: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: ['message'] },
  )
  .chain((base) =>
    fc.oneof(
      fc.constant(base),
      fc
        .record({
          request: fc.record({ method: fc.constantFrom('GET', 'POST'), url: hostileText }),
          response: fc.record({ status: fc.integer({ min: 0, max: 999 }), traceId: fc.option(hostileText) }),
          curl: hostileText.map((text) => `curl ${text}`),
        })
        .map((rest) => ({ ...base, ...rest })),
    ),
  );

/** Any JSON, hostile keys and texts included. */
export const observed: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostileText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(hostileText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const verdictsOf: Readonly<Record<Clause['level'], readonly Verdict[]>> = {
  must: ['pass', 'fail', 'inconclusive', 'skip', 'broken'],
  should: ['pass', 'warn', 'inconclusive', 'skip', 'broken'],
  gap: ['observed', 'inconclusive', 'skip', 'broken'],
};

const someFindings = fc.array(finding, { minLength: 1, maxLength: 3 });

function outcome({ level }: Clause): fc.Arbitrary<Outcome> {
  return fc.constantFrom(...verdictsOf[level]).chain((verdict): fc.Arbitrary<Outcome> => {
    if (verdict === 'pass') {
      return fc.constant({ verdict });
    }
    if (verdict === 'observed') {
      return observed.map((seen) => ({ verdict, observed: seen ?? 'nothing' }));
    }
    return someFindings.map((findings) => ({ verdict, findings }));
  });
}

/** The clauses that did not pass, by kind of run. */
const outcomes: fc.Arbitrary<Readonly<Record<string, Outcome>>> = fc
  .uniqueArray(fc.constantFrom(...clauses), { maxLength: 12, selector: ({ id }) => id })
  .chain((chosen) => fc.tuple(...chosen.map((clause) => outcome(clause).map((one) => [clause.id, one] as const))))
  .map((entries) => Object.fromEntries(entries));

/** Like the others, but with no clause decided for one API. */
const undecided = fc
  .tuple(outcomes, fc.constantFrom('developer', 'workspace'), fc.constantFrom<Verdict>('skip', 'inconclusive'))
  .map(
    ([some, api, verdict]): Readonly<Record<string, Outcome>> => ({
      ...some,
      ...Object.fromEntries(
        clauses
          .filter(({ id }) => id.startsWith(api))
          .map(({ id }) => [id, { verdict, findings: [{ message: `Not decided: ${api}` }] }]),
      ),
    }),
  );

const waiver: fc.Arbitrary<Waiver> = fc.record({
  clause: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...clauses).map(({ id }): string => id) },
    { weight: 1, arbitrary: hostileText },
  ),
  reason: hostileText,
  expires: fc.constantFrom('2026-11-04', '2026-11-05', '2027-01-01'),
});

const headers = fc.array(fc.tuple(fc.constantFrom('Content-Type', 'Location', 'X-Any'), hostileText), { maxLength: 3 });

const exchange: fc.Arbitrary<Exchange> = fc
  .record({
    number: fc.integer({ min: 1, max: 6 }),
    api: fc.constantFrom('developer' as const, 'workspace' as const),
    endpoint: fc.option(fc.constant('GET /v1/agents')),
    keyLabel: fc.option(hostileText),
    request: fc.record({
      method: fc.constantFrom('GET', 'POST'),
      url: fc.oneof(
        hostileText,
        hostileText.map((text) => `https://x.example/?q=${text}`),
      ),
      headers,
      body: fc.option(hostileText),
    }),
    sentAt: fc.oneof(fc.integer({ min: 0, max: 2e12 }), fc.constantFrom(Number.NaN, 1e300)),
    receivedAt: fc.integer({ min: 0, max: 2e12 }),
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

export const run: fc.Arbitrary<Run> = fc
  .record({
    outcomes: fc.oneof({ weight: 4, arbitrary: outcomes }, { weight: 1, arbitrary: undecided }),
    waivers: fc.uniqueArray(waiver, { maxLength: 2, selector: ({ clause }) => clause }),
    /** Waivers for failed clauses, so that some runs are conformant because of them. */
    forgiving: fc.boolean(),
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
      fc.array(
        fc.record({
          clause: fc.constantFrom(...clauses).map(({ id }): string => id),
          place: hostileText,
          before: observed,
          now: observed,
        }),
        { maxLength: 3 },
      ),
    ),
  })
  .map(({ outcomes: some, waivers, forgiving, ...rest }) => {
    const failed = Object.entries(some)
      .filter(([, { verdict }]) => verdict === 'fail' || verdict === 'warn')
      .map(([clause]) => clause);
    const pardons = failed.map((clause) => ({ clause, reason: 'known', expires: '2027-01-01' }));
    const made = runOf({ ...rest, results: resultsOf(some), waivers: forgiving ? pardons : waivers });
    return Object.assign(made, { [fc.toStringMethod]: () => fc.stringify({ ...made, clauses: some }) });
  });

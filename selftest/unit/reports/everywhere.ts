import { githubAnnotations } from '../../../reports/annotations.ts';
import { consoleReport } from '../../../reports/console/console.ts';
import { reportTexts } from '../../../reports/write.ts';
import type { Run } from '../../../results/verdict.ts';
import { exchangeWith, type Outcome, resultsOf, runOf } from './sample.ts';

/**
 * A run with one text wherever a target's text can appear: findings of every verdict, observed keys and values,
 * evidence, drift, notes.
 */
function everywhere(text: string): Run {
  const finding = {
    message: text || 'empty',
    expected: text,
    actual: text,
    place: text,
    cause: text,
    curl: text,
    exchange: 1,
    request: { method: text, url: text },
    response: { status: 200, traceId: text },
  };
  const unknown = { ...finding, exchange: 99 };
  const outcomes: Readonly<Record<string, Outcome>> = {
    'developer.auth.header': { verdict: 'fail', findings: [finding, finding, unknown] },
    'developer.auth.query': { verdict: 'broken', findings: [finding] },
    'developer.auth.missing-key': { verdict: 'inconclusive', findings: [finding] },
    'developer.auth.invalid-key': { verdict: 'skip', findings: [finding] },
    'developer.scopes.no-effect': { verdict: 'warn', findings: [finding] },
    'developer.auth.deleted-key': { verdict: 'fail', findings: [finding] },
    'developer.errors.shape': {
      verdict: 'observed',
      observed: { [text]: [text, { [text]: text, other: [[text]] }], rows: [{ a: text }, { b: text }] },
    },
    'developer.auth.precedence': { verdict: 'observed', observed: text || 'empty' },
  };
  const evidence = exchangeWith({
    number: 1,
    keyLabel: text,
    endpoint: text,
    request: { method: text, url: text, headers: [[text, text]], body: text },
    response: {
      status: 200,
      headers: [
        [text, text],
        ['Content-Type', text],
        ['Location', text],
      ],
      text,
      json: { [text]: text },
    },
    curl: () => text,
  });
  const run = runOf({
    results: resultsOf(outcomes),
    exchanges: [evidence, exchangeWith({ number: 2, response: null, failure: { kind: 'other', message: text } })],
    deliveries: [
      { method: text, url: text, headers: [[text, text]], body: text, encoding: 'utf8', answered: 200, receivedAt: 0 },
    ],
    waivers: [{ clause: 'developer.auth.deleted-key', reason: text, expires: '2027-01-01' }],
    trouble: `Trouble: ${text}`,
    notes: [text],
    drift: [{ clause: 'developer.errors.shape', place: text, before: text, now: { [text]: text } }],
  });
  return { ...run, reason: `${run.reason}: ${text}` };
}

/** The reports over such a run, with the console's text and the annotations, by name. */
export const reportsFor = (text: string): ReadonlyMap<string, string> => {
  const run = everywhere(text);
  return new Map([
    ...reportTexts(run),
    ['console', consoleReport(run, { observed: true })],
    ['annotations', githubAnnotations(run)],
  ]);
};

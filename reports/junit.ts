import { create } from 'xmlbuilder2';
import { chapterOf } from '../contract/clauses.ts';
import type { ClauseResult, Finding, Run } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';
import { observedText } from './observed-lines.ts';
import { block, oneLine } from './text.ts';
import { chaptersOf, headline, isStrict } from './words.ts';

type Element = ReturnType<ReturnType<typeof create>['ele']>;

/** What a test case shows: JUnit's own three words for anything but a pass. */
type State = 'failure' | 'error' | 'skipped' | null;

interface Case {
  readonly clause: ClauseResult;
  readonly state: State;
  readonly message: string;
}

/**
 * junit.xml: a test case for each clause, in a test suite for each chapter. `fail` is a failure, and so is `warn` with
 * STRICT; `broken` is an error; `inconclusive` and `skip` are skipped. Where the run did not end well and no clause says
 * so (nothing was judged, a waiver no longer holds), the first test case is an error with the run's reason: a reader of
 * this file alone sees red exactly where the exit status is not 0.
 */
export function junitReport(whole: Run): string {
  const run = boundRun(whole);
  const chapters = chaptersOf(run.clauses).map(({ name, clauses }) => ({
    name,
    cases: clauses.map((clause) => caseOf(clause, isStrict(run))),
  }));
  const all = withReason(
    run,
    chapters.flatMap(({ cases }) => cases),
  );
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele('testsuites', {
    name: run.suite.name,
    ...countsOf(all),
    time: seconds(run),
    timestamp: run.startedAt,
  });
  for (const { name } of chapters) {
    const own = all.filter(({ clause }) => chapterOf(clause.id) === name);
    const suite = root.ele('testsuite', { name, ...countsOf(own), timestamp: run.startedAt });
    if (name === chapters[0]?.name) {
      properties(suite, run);
    }
    for (const one of own) {
      testCase(suite, one);
    }
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

const seconds = ({ durationMs }: Run): string => (durationMs / 1_000).toFixed(3);

function caseOf(clause: ClauseResult, strict: boolean): Case {
  const message = oneLine(clause.findings[0]?.message ?? clause.title, 500);
  return { clause, state: stateOf(clause, strict), message };
}

function stateOf({ verdict }: ClauseResult, strict: boolean): State {
  if (verdict === 'fail' || (verdict === 'warn' && strict)) {
    return 'failure';
  }
  if (verdict === 'broken') {
    return 'error';
  }
  return verdict === 'skip' || verdict === 'inconclusive' ? 'skipped' : null;
}

function withReason(run: Run, cases: readonly Case[]): readonly Case[] {
  const red = cases.some(({ state }) => state === 'failure' || state === 'error');
  if (run.exitCode === 0 || red) {
    return cases;
  }
  return cases.map((one, index) =>
    index === 0 ? { ...one, state: 'error', message: oneLine(`${headline(run)}: ${run.reason}`, 1_000) } : one,
  );
}

function countsOf(cases: readonly Case[]): Record<string, number> {
  const count = (wanted: State): number => cases.filter(({ state }) => state === wanted).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

/** On the first test suite only: what the run as a whole was. */
function properties(suite: Element, run: Run): void {
  const list = suite.ele('properties');
  const values = {
    verdict: headline(run),
    exitCode: run.exitCode,
    reason: run.reason,
    seed: run.seed,
    ...Object.fromEntries(Object.entries(run.targets).map(([api, target]) => [`target.${api}`, target.url])),
  };
  for (const [name, value] of Object.entries(values)) {
    list.ele('property', { name, value: oneLine(String(value), 1_000) });
  }
}

function testCase(suite: Element, { clause, state, message }: Case): void {
  const one = suite.ele('testcase', { classname: chapterOf(clause.id), name: `${clause.id}: ${clause.title}` });
  const findings = clause.findings.slice(0, 20).map(findingText).join('\n\n');
  if (state === 'skipped') {
    one.ele('skipped', { message });
  } else if (state !== null) {
    one.ele(state, { message, type: clause.verdict }).txt(details(clause, findings));
  }
  const out = outputOf(clause, state, findings);
  if (out !== '') {
    one.ele('system-out').txt(out);
  }
}

const details = ({ title, source }: ClauseResult, findings: string): string =>
  `Requirement: ${title} (${source})\n\n${findings}`;

/** What no other element holds: the findings of a warning or a skipped case, and what was observed. */
function outputOf({ verdict, findings, observed }: ClauseResult, state: State, text: string): string {
  const said = (state === null || state === 'skipped') && findings.length > 0 ? [`${verdict}: ${text}`] : [];
  const seen = observed === null ? [] : ['Observed:', block(observedText(observed), 20_000, 400)];
  return [...said, ...seen].join('\n');
}

function findingText({ message, expected, actual, place, curl, cause, exchange }: Finding): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Expected', expected],
    ['Actual', actual],
    ['Place', place],
    ['Likely cause', cause],
    ['Exchange', exchange === undefined ? undefined : `${exchange} in exchanges.har`],
    ['Repeat', curl],
  ];
  const given = rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${block(text, 8_000, 60)}`]));
  return [block(message, 4_000, 40), ...given].join('\n');
}

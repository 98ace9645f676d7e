import { apiOf, chapterOf } from '../contract/clauses.ts';
import { type ClauseResult, type Finding, findingFacts, type Run } from '../results/verdict.ts';
import { type Markup, markup, trusted } from './html/markup.ts';
import { block, observedText, oneLine } from './text.ts';
import { fullReason, headline, isStrict } from './words.ts';

/** The state of a test case: JUnit's words for anything but a pass, which is null. */
type State = 'failure' | 'error' | 'skipped' | null;

interface Case {
  readonly clause: ClauseResult;
  readonly state: State;
  readonly message: string;
}

/**
 * junit.xml: a test case for each clause, in a test suite for each chapter. `fail` is a failure, and so is `warn` with
 * STRICT; `broken` is an error; `inconclusive` and `skip` are skipped. If the exit status is not 0 although no clause
 * failed (nothing was judged, a waiver no longer holds), the first skipped test case, or else the first of all, is an
 * error with the run's reason. So the file shows red if and only if the exit status is not 0. It
 * has only what the schema of Jenkins' xUnit plugin (junit-10.xsd) allows.
 */
export function junitReport(run: Run): string {
  const cases = withReason(
    run,
    run.clauses.map((clause) => caseOf(clause, isStrict(run))),
  );
  const chapters = [...Map.groupBy(cases, ({ clause }) => chapterOf(clause.id))];
  const suites = chapters.map(
    ([name, own], index) => markup`
  <testsuite name="${name}"${counts(own)} skipped="${countOf(own, 'skipped')}" time="${seconds(timeOf(own))}" timestamp="${run.startedAt}" file="${fileOf(name)}">${properties(
    { ...(index === 0 ? factsOf(run) : {}), ...titlesOf(own) },
  )}${own.map(testCase)}
  </testsuite>`,
  );
  const root = markup`<testsuites name="${run.suite.name}"${counts(cases)} time="${seconds(run.durationMs)}">${suites}
</testsuites>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.toString()}\n`;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

const timeOf = (cases: readonly Case[]): number => cases.reduce((sum, { clause }) => sum + (clause.durationMs ?? 0), 0);

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
  const shown = cases.find(({ state }) => state === 'skipped') ?? cases[0];
  return cases.map((one) =>
    one === shown ? { ...one, state: 'error', message: oneLine(`${headline(run)}: ${fullReason(run)}`, 1_000) } : one,
  );
}

const countOf = (cases: readonly Case[], wanted: State): number => cases.filter(({ state }) => state === wanted).length;

const counts = (cases: readonly Case[]): Markup =>
  markup` tests="${cases.length}" failures="${countOf(cases, 'failure')}" errors="${countOf(cases, 'error')}"`;

/** The file that declares a chapter's clauses. */
const fileOf = (chapter: string): string => `suites/${apiOf(chapter)}.test.ts`;

/** What each clause of a chapter says. Names of test cases are ids, so that a reworded title keeps its history. */
const titlesOf = (cases: readonly Case[]): Record<string, string> =>
  Object.fromEntries(cases.map(({ clause: { id, level, title } }) => [id, `${level}: ${title}`]));

/** The facts of the run as a whole, which only the first test suite has. */
const factsOf = (run: Run): Record<string, string | number | boolean> => ({
  verdict: headline(run),
  exitCode: run.exitCode,
  reason: fullReason(run),
  reference: run.embedded,
  seed: run.seed,
  ...Object.fromEntries(Object.entries(run.targets).map(([api, target]) => [`target.${api}`, target.url])),
});

function properties(values: Readonly<Record<string, string | number | boolean>>): Markup {
  const rows = Object.entries(values).map(
    ([name, value]) => markup`
      <property name="${name}" value="${oneLine(String(value), 1_000)}"/>`,
  );
  return markup`
    <properties>${rows}
    </properties>`;
}

function testCase({ clause, state, message }: Case): Markup {
  const { id, durationMs = 0 } = clause;
  const findings = clause.findings.slice(0, 20).map(findingText).join('\n\n');
  const inside = [stateMarkup(clause, state, message, findings), outputMarkup(outputOf(clause, state, findings))];
  return markup`
    <testcase classname="${chapterOf(id)}" name="${id}" time="${seconds(durationMs)}">${inside}</testcase>`;
}

function stateMarkup(
  { title, source, verdict }: ClauseResult,
  state: State,
  message: string,
  text: string,
): Markup | null {
  const details = `Requirement: ${title} (${source})\n\n${text}`;
  if (state === null || state === 'skipped') {
    return state && markup`<skipped message="${message}"/>`;
  }
  const element = trusted(state);
  return markup`<${element} message="${message}" type="${verdict}">${details}</${element}>`;
}

const outputMarkup = (text: string): Markup | null => (text === '' ? null : markup`<system-out>${text}</system-out>`);

/**
 * The output of a test case: the findings of a warning or a skipped case, which no other element has, and what was
 * observed.
 */
function outputOf({ verdict, findings, observed }: ClauseResult, state: State, text: string): string {
  const found = (state === null || state === 'skipped') && findings.length > 0 ? [`${verdict}: ${text}`] : [];
  const seen = observed === null ? [] : ['Observed:', block(observedText(observed), 20_000, 400)];
  return [...found, ...seen].join('\n');
}

function findingText(finding: Finding): string {
  const facts = findingFacts(finding).map(([label, text]) => `${label}: ${block(text, 8_000, 60)}`);
  return [block(finding.message, 4_000, 40), ...facts].join('\n');
}

import type { Api } from '../contract/clause.ts';
import { type ClauseResult, type Finding, type Run, totalsOf } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';
import { code, fenced, inHtml, inline } from './markdown-text.ts';
import { observedText } from './observed-lines.ts';
import { counted, duration, thousands } from './text.ts';
import { headline, isStrict, meaning, readingOrder } from './words.ts';

/** CI systems refuse a summary over 1 MiB (GitHub) and drop it whole; what does not fit is said to be left out. */
const mostCharacters = 400_000;

/** summary.md, for the job summary of a CI run: verdict, totals, what failed and how to see it again, and the gaps. */
export function markdownReport(whole: Run): string {
  const run = boundRun(whole);
  const by = (...wanted: readonly string[]): ClauseResult[] =>
    run.clauses.filter(({ verdict, waiver }) => wanted.includes(verdict) && !waiver);
  const sections = [
    ...top(run),
    ...totals(run),
    ...fully('Failed', by('fail', 'broken', ...(isStrict(run) ? ['warn'] : []))),
    ...fully(
      'Waived',
      run.clauses.filter(({ waiver }) => waiver !== undefined),
    ),
    ...(isStrict(run) ? [] : fully('Warnings', by('warn'))),
    ...undecided('Inconclusive', by('inconclusive')),
    ...undecided('Skipped', by('skip')),
    ...observed(run.clauses),
    ...drift(run),
    ...notes(run),
  ];
  return `${fitted(sections).join('\n\n')}\n`;
}

function fitted(sections: readonly string[]): string[] {
  let left = mostCharacters;
  const kept = sections.filter((section) => (left -= section.length + 2) > 0);
  return kept.length === sections.length
    ? kept
    : [
        ...kept,
        `*${counted(sections.length - kept.length, 'section')} did not fit and can be read in conformance.html.*`,
      ];
}

const icon = { Conformant: '✅', 'Not conformant': '❌', 'Cannot be told': '❔' } as const;

function top(run: Run): string[] {
  const word = headline(run);
  const targets = (Object.keys(run.targets) as Api[]).map(
    (api) => `${api} API ${code(run.targets[api]?.url ?? '', 300)} (${counted(run.requests[api], 'request')})`,
  );
  return [
    `# ${icon[word]} ${word}`,
    `**Exit status ${run.exitCode}:** ${inline(run.reason, 1_000)}`,
    [
      ...targets,
      `seed ${code(String(run.seed))}`,
      `${inline(run.startedAt, 60)}, took ${duration(run.durationMs)}`,
    ].join(' · '),
  ];
}

function totals(run: Run): string[] {
  const counts = totalsOf(run.clauses);
  const rows = readingOrder.map((verdict) => `| ${verdict} | ${thousands(counts[verdict])} | ${meaning[verdict]} |`);
  return [['| verdict | clauses | meaning |', '|---|--:|---|', ...rows].join('\n')];
}

/** Each clause as a block that opens: requirement, expected, actual, command. */
function fully(title: string, clauses: readonly ClauseResult[]): string[] {
  if (clauses.length === 0) {
    return [];
  }
  return [
    `## ${title} (${clauses.length})`,
    ...clauses.map((clause) => {
      const { id, level, findings, source } = clause;
      const shown = findings.slice(0, 5).map(finding);
      const left = findings.length - shown.length;
      return [
        `<details><summary><b>${id}</b> (${level}): ${inHtml(clause.title)}</summary>`,
        `*${inline(source)}*`,
        ...shown,
        ...(left > 0 ? [`… and ${counted(left, 'finding')} more in conformance.html`] : []),
        '</details>',
      ].join('\n\n');
    }),
  ];
}

function finding({ message, expected, actual, place, cause, curl, exchange }: Finding): string {
  const rows = [
    ...(expected === undefined ? [] : [`- Expected: ${code(expected)}`]),
    ...(actual === undefined ? [] : [`- Actual: ${code(actual)}`]),
    ...(place === undefined ? [] : [`- Place: ${code(place)}`]),
    ...(exchange === undefined ? [] : [`- Exchange: ${exchange} in exchanges.har`]),
    ...(cause === undefined ? [] : [`- Likely cause: ${inline(cause)}`]),
  ];
  return [
    `**${inline(message)}**`,
    ...(rows.length > 0 ? [rows.join('\n')] : []),
    ...(curl === undefined ? [] : [fenced(curl, 'sh')]),
  ].join('\n\n');
}

/** Clauses that were not decided, by what would decide them. */
function undecided(title: string, clauses: readonly ClauseResult[]): string[] {
  if (clauses.length === 0) {
    return [];
  }
  const groups = Map.groupBy(clauses, ({ findings }) => inline(findings[0]?.message ?? 'no reason given', 600));
  const rows = [...groups].map(([why, own]) => `| ${why} | ${own.map(({ id }) => `\`${id}\``).join(', ')} |`);
  return [`## ${title} (${clauses.length})`, ['| what would decide it | clauses |', '|---|---|', ...rows].join('\n')];
}

function observed(clauses: readonly ClauseResult[]): string[] {
  const seen = clauses.filter((clause) => clause.observed !== null);
  if (seen.length === 0) {
    return [];
  }
  return [
    `## Observed where the documents are silent (${seen.length})`,
    ...seen.map((clause) =>
      [
        `<details><summary><b>${clause.id}</b>: ${inHtml(clause.title)}</summary>`,
        fenced(observedText(clause.observed), 'yaml', 120),
        '</details>',
      ].join('\n\n'),
    ),
  ];
}

function drift({ drift: changes }: Run): string[] {
  if (changes.length === 0) {
    return [];
  }
  const json = (value: unknown): string => code(JSON.stringify(value) ?? '(absent)', 200);
  const rows = changes
    .slice(0, 100)
    .map(({ clause, place, before, now }) => `| ${inline(clause)} | ${code(place)} | ${json(before)} | ${json(now)} |`);
  const left = changes.length - rows.length;
  return [
    `## Drift against the profile (${changes.length})`,
    ['| clause | place | before | now |', '|---|---|---|---|', ...rows].join('\n'),
    ...(left > 0 ? [`… and ${counted(left, 'change')} more in conformance.json`] : []),
  ];
}

const notes = (run: Run): string[] =>
  run.notes.length === 0
    ? []
    : [
        '## Notes',
        run.notes
          .slice(0, 100)
          .map((note) => `- ${inline(note)}`)
          .join('\n'),
      ];

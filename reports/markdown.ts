import { html } from 'hono/html';
import { commandOf } from '../common/suite.ts';
import { counted, firstOf } from '../common/words.ts';
import type { ApiName } from '../contract/clause.ts';
import { firstStepsText, type RootCause, rootCausesOf } from '../results/root-causes.ts';
import { unlocksOf } from '../results/unlocks.ts';
import type { Run } from '../results/verdict.ts';
import { duration, moreLines, oneLine, shortJson, visible } from './text.ts';
import {
  driftText,
  failingVerdicts,
  headline,
  inScope,
  isStrict,
  looks,
  narrowed,
  referenceNotice,
  tally,
} from './words.ts';

/** How much of each part the summary shows; the page has the rest. */
const most = { causes: 12, clauses: 6, drift: 5, notes: 2, unlocks: 2 } as const;

const icon = { Conformant: '✅', 'Not conformant': '❌', Unknown: '❔' } as const;

/**
 * summary.md, for the job summary of a CI run: verdict, totals, a line for each cause of failure, drift. At most 40
 * lines.
 */
export function markdownReport(run: Run): string {
  const sections = [top(run), causes(run), drift(run), rest(run), foot()].filter((lines) => lines.length > 0);
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function top(run: Run): string[] {
  const word = headline(run);
  const notice = referenceNotice(run);
  const targets = (Object.keys(run.targets) as ApiName[]).map(
    (api) => `${api} API ${code(run.targets[api]?.url ?? '', 200)} (${counted(run.requests[api], 'request')})`,
  );
  const totals = tally(inScope(run)).map(([verdict, many]) => `${many} ${verdict}`);
  const compared = driftText(run);
  const aside = narrowed(run).length === 0 ? '' : ` (${narrowed(run).join(', ')})`;
  return [
    `# ${icon[word]} ${word}${aside}`,
    ...(notice === null ? [] : ['', `> ${inline(notice)}`]),
    '',
    `**Exit status ${run.exitCode}:** ${inline(run.reason, 1_000)}`,
    '',
    `**Totals:** ${totals.length === 0 ? 'nothing was judged' : totals.join(', ')}${compared === null ? '' : `, ${compared}`}`,
    '',
    [...targets, `seed ${code(String(run.seed))}`, `took ${duration(run.durationMs)}`].join(' · '),
  ];
}

/** A line for each cause of failures and warnings. */
function causes(run: Run): string[] {
  const failing = failingVerdicts(run).flatMap((verdict) => rootCausesOf(run.clauses, verdict));
  const warned = isStrict(run) ? [] : rootCausesOf(run.clauses, 'warn');
  const all = [...failing, ...warned];
  if (all.length === 0) {
    return [];
  }
  const steps = firstStepsText(run.clauses);
  return [
    ...(steps === '' || failing.length === 0 ? [] : [`**${inline(steps)}**`, '']),
    ...all.slice(0, most.causes).map(causeLine),
    ...moreLines(all.length - most.causes, 'cause', 'in conformance.html').map((line) => `- ${line}`),
  ];
}

function causeLine({ verdict, clauses, sentence, finding }: RootCause): string {
  const whose = firstOf(
    clauses.map(({ id }) => code(id)),
    most.clauses,
  );
  const { expected, actual } = finding;
  const contrast =
    clauses.length > 1 || expected === undefined || actual === undefined
      ? ''
      : `. Expected ${code(expected, 120)}, got ${code(actual, 120)}.`;
  return `- ${looks[verdict].mark} **${verdict}** ${whose}: ${inline(sentence, 300)}${contrast}`;
}

function drift(run: Run): string[] {
  const changes = run.drift ?? [];
  if (changes.length === 0) {
    return [];
  }
  return [
    ...changes
      .slice(0, most.drift)
      .map(
        ({ clause, place, before, now }) =>
          `- drift ${code(clause)} ${code(place, 100)}: ${code(shortJson(before), 100)} → ${code(shortJson(now), 100)}`,
      ),
    ...moreLines(changes.length - most.drift, 'change', 'in conformance.json').map((line) => `- ${line}`),
  ];
}

/** The settings that would let more be decided, and notes. */
function rest(run: Run): string[] {
  return [
    ...unlocksOf(run.clauses)
      .slice(0, most.unlocks)
      .map(({ setting, clauses }) => `- Set ${code(setting)} to judge ${counted(clauses.length, 'more clause')}`),
    ...run.notes.slice(0, most.notes).map((note) => `- ${inline(note, 300)}`),
  ];
}

const foot = (): string[] => [
  `The whole report is [conformance.html](conformance.html) among the run’s files; \`${commandOf('repeat', 'CLAUSE')}\` reproduces a failure.`,
];

/** A target's text for use in a sentence or a table cell: on one line, without markup and links. */
const inline = (text: string, most = 500): string =>
  escaped(oneLine(text, most).replace(/[\\`*_{}[\]!|~]|^[#+-]|^\d+(?=[.)])/g, '\\$&')).replace(leading, `$&${joiner}`);

/**
 * The beginnings of texts that renderers turn into links or notifications: `https://`, `www.`, `a@b.c`, `@everyone`,
 * `#1`, `GH-1`. A backslash does not prevent that, but an invisible character (the joiner) after the beginning does.
 */
const leading = /:(?=\/\/)|\bwww(?=\.)|@(?=\w)|#(?=\d+\b(?!;))|\bGH(?=-\d)/gi;
const joiner = '\u2060';

const escaped = (text: string): string => html`${visible(text)}`.toString();

/** Text as a code span. Quotes stand for backticks, which would end the span, and a line for `|`, which would end a cell. */
const code = (text: string, most = 500): string =>
  `\`${oneLine(text, most).replaceAll('`', "'").replaceAll('|', '\u2502') || ' '}\``;

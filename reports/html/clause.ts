import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult, Verdict } from '../../results/verdict.ts';
import { counted, oneLine } from '../text.ts';
import { type Chapter, type FindExchange, tally } from '../words.ts';
import { findingMarkup } from './finding.ts';
import { type Markup, markup, when } from './markup.ts';
import { observedMarkup } from './observed.ts';

/** How many findings of a clause the page shows; the rest stand in conformance.json. */
const mostFindings = 30;

export interface Page {
  readonly find: FindExchange;
  /** Exchanges that stand in the page already: each does once, and is linked to from then on. */
  readonly placed: Set<Exchange>;
}

/** One chapter: its heading with counts, and its clauses. */
export function chapterMarkup({ name, clauses }: Chapter, page: Page): Markup {
  const [, short] = name.split('.');
  const counts = tally(clauses).map(
    ([verdict, many]) => markup`<span class="count ${verdict}">${many} ${verdict}</span>`,
  );
  return markup`<section class="chapter" id="${name}" aria-labelledby="${name}-title">
<h3 id="${name}-title"><span class="chapter-name">${short}</span> <span class="counts">${counts}</span></h3>
${clauses.map((clause) => clauseMarkup(clause, page))}
</section>`;
}

const opensItself: readonly Verdict[] = ['fail', 'warn', 'broken'];

function clauseMarkup(clause: ClauseResult, page: Page): Markup {
  const { id, verdict, findings, observed } = clause;
  const head = headMarkup(clause);
  if (findings.length === 0 && observed === null) {
    return markup`<div class="clause ${verdict}" id="${id}" data-verdict="${verdict}">
<div class="head">${head}</div></div>`;
  }
  const open = when(opensItself.includes(verdict), () => markup` open`);
  return markup`<details class="clause ${verdict}" id="${id}" data-verdict="${verdict}"${open}>
<summary class="head">${head}</summary>
<div class="body">${bodyMarkup(clause, page)}</div></details>`;
}

function headMarkup({ id, level, title, verdict, waiver }: ClauseResult): Markup {
  return markup`${badge(verdict, waiver === undefined ? verdict : 'waived')}<span class="title">${title}</span>
<span class="address"><code>${id}</code> <span class="level">${level}</span></span>`;
}

/** A verdict as a word and a mark, so that it does not hang on colour alone. */
export const badge = (verdict: Verdict, word: string = verdict): Markup =>
  markup`<span class="badge ${verdict}"><span class="mark" aria-hidden="true">${marks[verdict]}</span>${word}</span>`;

const marks: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✕',
  warn: '!',
  inconclusive: '?',
  skip: '–',
  observed: '◦',
  broken: '※',
};

/** How each level stands to the documents. */
const standing: Readonly<Record<ClauseResult['level'], string>> = {
  must: 'Stated in',
  should: 'Follows from',
  gap: 'Left open by',
};

function bodyMarkup({ id, level, source, findings, observed, waiver }: ClauseResult, page: Page): Markup {
  const shown = findings.slice(0, mostFindings);
  const left = findings.length - shown.length;
  return markup`<p class="source">${standing[level]}: ${source}</p>
${waiver === undefined ? null : waiverMarkup(waiver)}
${shown.map((finding) => findingMarkup(finding, page.find(id, finding), page.placed))}
${when(left > 0, () => markup`<p class="left">… and ${counted(left, 'finding')} more in conformance.json</p>`)}
${observed === null ? null : markup`<div class="observed-values"><h4>Observed</h4>${observedMarkup(observed)}</div>`}`;
}

const waiverMarkup = ({ reason, expires }: NonNullable<ClauseResult['waiver']>): Markup =>
  markup`<p class="waiver">Waived until ${expires}: ${oneLine(reason, 600)}</p>`;

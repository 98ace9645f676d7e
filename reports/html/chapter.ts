import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf, clauseOf } from '../../contract/clauses.ts';
import { type ClauseResult, wordOf } from '../../results/verdict.ts';
import { block, duration, observedText, oneLine } from '../text.ts';
import { type Chapter, tally } from '../words.ts';
import { type Evidence, findingMarkup } from './finding.ts';
import { badge, foldedMarkup, type Markup, markup, moreMarkup, when } from './markup.ts';

/** How many findings of a clause the page shows. */
const mostFindings = 30;

/** What is needed to show clauses besides the clauses themselves. */
export interface Shown {
  readonly evidence: Evidence;
  /** The failed clauses that share their cause with no other. */
  readonly alone: readonly ClauseResult[];
}

/** An observed value to read. */
const observedMarkup = (value: unknown): Markup =>
  markup`<pre tabindex="0" role="group" aria-label="Observed">${block(observedText(value), 20_000, 400)}</pre>`;

const wantsReading = ['fail', 'warn', 'broken', 'inconclusive'];

/** A chapter: its heading with counts, and its clauses. It is closed if nothing in it is wrong. */
export function chapterMarkup({ name, clauses }: Chapter, shown: Shown): Markup {
  const [, short] = name.split('.');
  const counts = tally(clauses).map(([word, many]) => markup`<span class="count ${word}">${many} ${word}</span>`);
  const open = when(
    clauses.some((clause) => wantsReading.includes(wordOf(clause))),
    () => markup` open`,
  );
  return markup`<details class="chapter" id="${name}"${open}>
<summary><h3>${short}</h3> <span class="counts">${counts}</span></summary>
<div class="clauses">${clauses.map((clause) => clauseMarkup(clause, shown))}</div></details>`;
}

/** A clause. It is open if it failed for a reason of its own; shared reasons are at the top of the page. */
function clauseMarkup(clause: ClauseResult, { evidence, alone }: Shown): Markup {
  const { id, verdict } = clause;
  const open = when(alone.includes(clause), () => markup` open`);
  return markup`<details class="clause ${wordOf(clause)}" id="${id}" data-verdict="${verdict}" data-word="${wordOf(clause)}"${open}>
<summary class="head">${headMarkup(clause)}</summary>
<div class="body">${bodyMarkup(clause, evidence)}</div></details>`;
}

const headMarkup = (clause: ClauseResult): Markup =>
  markup`${badge(wordOf(clause))}<span class="title">${clause.title}</span>
<span class="address"><code>${clause.id}</code> <span class="level">${clause.level}</span>
<span class="took" title="time from start to verdict, including waits and shared calls">${clause.durationMs === undefined ? '' : duration(clause.durationMs)}</span></span>`;

/** How the levels relate to the documents. */
const standing: Readonly<Record<ClauseResult['level'], string>> = {
  must: 'Stated in',
  should: 'Follows from',
  gap: 'Not specified by',
};

function bodyMarkup(clause: ClauseResult, evidence: Evidence): Markup {
  const { id, level, source, findings, observed, waiver } = clause;
  return markup`<p class="source">${standing[level]}: ${source}: <q>${clauseOf(id).quote}</q> <a class="permalink" href="#${id}">link</a></p>
${waiver === undefined ? null : waiverMarkup(waiver)}
${findings.slice(0, mostFindings).map((finding) => findingMarkup(finding, evidence))}
${moreMarkup(findings.length - mostFindings, 'finding', 'in conformance.json')}
${observed === null ? null : markup`<div class="observed-values"><h4>${level === 'gap' ? 'Observed' : 'Noted'}</h4>${observedMarkup(observed)}</div>`}`;
}

const waiverMarkup = ({ reason, expires }: NonNullable<ClauseResult['waiver']>): Markup =>
  markup`<p class="waiver">Waived until ${expires}: ${oneLine(reason, 600)}</p>`;

/** The clauses of an API that the run was not to judge, as a line that opens to their titles; null if there are none. */
export function outsideMarkup(clauses: readonly ClauseResult[], api: ApiName): Markup | null {
  const own = clauses.filter(({ id, outside }) => apiOf(id) === api && outside !== undefined);
  const [first] = own;
  if (first === undefined) {
    return null;
  }
  const rows = own.map(({ id, title }) => markup`<li id="${id}"><code>${id}</code> ${title}</li>`);
  const why = oneLine(first.findings[0]?.message ?? 'left out', 300);
  return foldedMarkup(`${api}-outside`, `${counted(own.length, 'clause')} not judged`, why, markup`<ul>${rows}</ul>`);
}

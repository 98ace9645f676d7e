import type { Exchange } from '../../suites/kit/exchange.ts';
import type { ClauseResult, Finding, Verdict } from '../../suites/kit/verdict.ts';
import { block, counted, oneLine } from '../text.ts';
import { tally, type Chapter, type FindExchange } from '../words.ts';
import { anchorOf, exchangeMarkup } from './exchange.ts';
import { markup, when, type Markup } from './markup.ts';
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
  const counts = tally(clauses).map(([verdict, many]) => markup`<span class="count ${verdict}">${many} ${verdict}</span>`);
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
    return markup`<div class="clause ${verdict}" id="${id}" data-verdict="${verdict}"><div class="head">${head}</div></div>`;
  }
  const open = when(opensItself.includes(verdict), () => markup` open`);
  return markup`<details class="clause ${verdict}" id="${id}" data-verdict="${verdict}"${open}><summary class="head">${head}</summary>
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
  pass: '✓', fail: '✕', warn: '!', inconclusive: '?', skip: '–', observed: '◦', broken: '※',
};

/** How each level stands to the documents. */
const standing: Readonly<Record<ClauseResult['level'], string>> = { must: 'Stated in', should: 'Follows from', gap: 'Left open by' };

function bodyMarkup({ id, level, source, findings, observed, waiver }: ClauseResult, page: Page): Markup {
  const shown = findings.slice(0, mostFindings);
  const left = findings.length - shown.length;
  return markup`<p class="source">${standing[level]}: ${source}</p>
${when(waiver !== undefined, () => markup`<p class="waiver">Waived until ${waiver?.expires ?? ''}: ${waiver?.reason ?? ''}</p>`)}
${shown.map((finding) => findingMarkup(finding, page.find(id, finding), page.placed))}
${when(left > 0, () => markup`<p class="left">… and ${counted(left, 'finding')} more in conformance.json</p>`)}
${when(observed !== null, () => markup`<div class="observed-values"><h4>Observed</h4>${observedMarkup(observed)}</div>`)}`;
}

function findingMarkup(finding: Finding, exchange: Exchange | undefined, placed: Set<Exchange>): Markup {
  const { message, place, cause, curl } = finding;
  return markup`<div class="finding">
<p class="message">${block(message, 4_000, 40)}</p>
${contrast(finding)}
${when(place !== undefined, () => markup`<p class="fact"><span class="label">Place</span> <code>${oneLine(place ?? '', 600)}</code></p>`)}
${exchangeFact(finding, exchange, placed)}
${when(curl !== undefined, () => markup`<div class="curl"><pre tabindex="0" role="group" aria-label="Command that repeats the request">${block(curl ?? '', 8_000, 60)}</pre><button type="button" class="copy" hidden>Copy</button></div>`)}
${when(cause !== undefined, () => markup`<p class="cause"><span class="label">Likely cause</span> ${block(cause ?? '', 4_000, 40)}</p>`)}
</div>`;
}

/** Expected beside actual. */
function contrast({ expected, actual }: Finding): Markup | null {
  const side = (name: string, text: string | undefined): Markup | null =>
    when(text !== undefined, () => markup`<div class="${name}"><dt>${name}</dt><dd>${block(text ?? '', 4_000, 60)}</dd></div>`);
  return when(expected !== undefined || actual !== undefined, () =>
    markup`<dl class="contrast">${side('expected', expected)}${side('actual', actual)}</dl>`);
}

/** The exchange itself where it stands in the page for the first time, a link to it later, its line where it is not known. */
function exchangeFact({ request, response, exchange: number }: Finding, exchange: Exchange | undefined, placed: Set<Exchange>): Markup | null {
  if (exchange !== undefined && placed.has(exchange)) {
    return markup`<p class="fact"><span class="label">Exchange</span> <a href="#${anchorOf(exchange)}">${exchange.number}, shown above</a></p>`;
  }
  if (exchange !== undefined) {
    placed.add(exchange);
    return exchangeMarkup(exchange);
  }
  if (request === undefined) return null;
  const status = response === undefined ? '' : ` → ${response.status}${response.traceId === null ? '' : `, trace id ${response.traceId}`}`;
  const where = number === undefined ? '' : ` (exchange ${number} in exchanges.har)`;
  return markup`<p class="fact"><span class="label">Exchange</span> <code>${oneLine(`${request.method} ${request.url}${status}`, 600)}</code>${where}</p>`;
}

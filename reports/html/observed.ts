import type { Run } from '../../results/verdict.ts';
import { block, observedText } from '../text.ts';
import { type Markup, markup } from './markup.ts';

/** What was observed for gap clauses, a row for each clause. */
export function observationsMarkup({ clauses }: Run): Markup {
  const seen = clauses.filter(({ level, observed }) => level === 'gap' && observed !== null);
  const rows = seen.map(
    ({
      id,
      title,
      observed,
    }) => markup`<details class="fact-row"><summary><code>${id}</code> <span>${title}</span></summary>
<div>${observedMarkup(observed)}<p class="source"><a href="#${id}">To the clause</a></p></div></details>`,
  );
  return markup`<section class="observations" id="observed" aria-labelledby="observed-title">
<h2 id="observed-title">Observed facts <span class="of">not specified by the documents</span></h2>
${seen.length === 0 ? markup`<p class="of">Nothing was observed.</p>` : rows}</section>`;
}

/** An observed value to read. */
export const observedMarkup = (value: unknown): Markup =>
  markup`<pre tabindex="0" role="group" aria-label="Observed">${block(observedText(value), 20_000, 400)}</pre>`;

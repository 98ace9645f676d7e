import { counted } from '../../common/words.ts';
import type { Drift } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { type Markup, markup, moreMarkup, scrolling, tableMarkup } from './markup.ts';

const most = 200;

/** What changed against PROFILE; null if nothing did, or no profile is given. */
export function driftMarkup(drift: readonly Drift[] | null): Markup | null {
  if (drift === null || drift.length === 0) {
    return null;
  }
  const rows = drift.slice(0, most).map(
    ({ clause, place, before, now }) => markup`<tr><td><a href="#${clause}">${clause}</a></td>
<td><code>${oneLine(place, 300)}</code></td><td>${json(before)}</td><td>${json(now)}</td></tr>`,
  );
  return markup`<section class="drift" id="drift" aria-labelledby="drift-title">
<h2 id="drift-title">Drift <span class="of">${counted(drift.length, 'change')} against PROFILE</span></h2>
${scrolling('Drift', tableMarkup('rows', ['Clause', 'Place', 'Before', 'Now'], rows))}
${moreMarkup(drift.length - most, 'change', 'in conformance.json')}</section>`;
}

const json = (value: unknown): Markup =>
  value === undefined
    ? markup`<span class="value empty">absent</span>`
    : markup`<code>${oneLine(JSON.stringify(value) ?? '', 300)}</code>`;

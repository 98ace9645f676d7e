import { counted } from '../../common/words.ts';
import type { Drift, Run } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { minuteOf, sinceText } from '../words.ts';
import { badge, type Markup, markup, moreMarkup, scrolling, tableMarkup, when } from './markup.ts';

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

/** The verdicts that changed since the previous run; null if there was none. */
export function sinceMarkup(run: Run): Markup | null {
  const { since } = run;
  if (since === null) {
    return null;
  }
  const rows = since.changes.map(
    ({ id, before, now, finding }) => markup`<tr><th scope="row"><a href="#${id}">${id}</a></th>
<td>${badge(before)} → ${badge(now)}</td><td>${oneLine(finding ?? '', 300)}</td></tr>`,
  );
  return markup`<section class="since" id="since" aria-labelledby="since-title">
<h2 id="since-title">Since the run of ${minuteOf(since.startedAt)} <span class="of">${sinceText(run)}</span></h2>
${when(rows.length > 0, () => scrolling('Changed verdicts', markup`<table class="changes"><tbody>${rows}</tbody></table>`))}
</section>`;
}

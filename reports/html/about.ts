import type { Drift, Run } from '../../results/verdict.ts';
import { counted, oneLine } from '../text.ts';
import { type Markup, markup, scrolling, when } from './markup.ts';

const mostDrift = 200;
const mostNotes = 200;

/** The end of the page: drift, notes, settings. */
export function aboutMarkup(run: Run): Markup {
  return markup`<section class="about" id="run" aria-labelledby="run-title"><h2 id="run-title">About the run</h2>
${when(run.drift.length > 0, () => driftMarkup(run.drift))}
${when(run.notes.length > 0, () => notesMarkup(run.notes))}
<h3>Settings</h3>${settingsMarkup(run)}
<p class="foot">The same run as data: <code>conformance.json</code>, <code>junit.xml</code>,
<code>exchanges.har</code>, <code>profile.json</code>.</p>
</section>`;
}

function notesMarkup(notes: readonly string[]): Markup {
  const left = notes.length - Math.min(notes.length, mostNotes);
  return markup`<h3>Notes</h3><ul class="notes">
${notes.slice(0, mostNotes).map((note) => markup`<li>${oneLine(note, 1_000)}</li>`)}</ul>
${when(left > 0, () => markup`<p class="left">… and ${counted(left, 'note')} more in conformance.json</p>`)}`;
}

function driftMarkup(drift: readonly Drift[]): Markup {
  const rows = drift.slice(0, mostDrift).map(
    ({ clause, place, before, now }) => markup`<tr><td><a href="#${clause}">${clause}</a></td>
<td><code>${oneLine(place, 300)}</code></td><td>${json(before)}</td><td>${json(now)}</td></tr>`,
  );
  const head = ['Clause', 'Place', 'Before', 'Now'].map((column) => markup`<th scope="col">${column}</th>`);
  const left = drift.length - rows.length;
  return markup`<h3 id="drift">Drift <span class="of">${counted(drift.length, 'change')} against the profile</span></h3>
${scrolling('Drift', markup`<table class="rows"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`)}
${when(left > 0, () => markup`<p class="left">… and ${counted(left, 'change')} more in conformance.json</p>`)}`;
}

const json = (value: unknown): Markup =>
  value === undefined
    ? markup`<span class="value empty">absent</span>`
    : markup`<code>${oneLine(JSON.stringify(value) ?? '', 300)}</code>`;

function settingsMarkup({ settings }: Run): Markup {
  const rows = Object.entries(settings).map(
    ([name, value]) => markup`<tr><th scope="row">${name}</th><td><code>${oneLine(value, 300)}</code></td></tr>`,
  );
  return scrolling('Settings', markup`<table class="fields"><tbody>${rows}</tbody></table>`);
}

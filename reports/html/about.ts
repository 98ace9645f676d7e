import type { Run } from '../../results/verdict.ts';
import { capital, oneLine } from '../text.ts';
import { timeText } from '../time-text.ts';
import { type Markup, markup, moreMarkup, scrolling, when } from './markup.ts';

const most = 200;

/** The last section of the page: time, notes, settings. */
export const aboutMarkup = (run: Run): Markup =>
  markup`<section class="about" id="run" aria-labelledby="run-title"><h2 id="run-title">About the run</h2>
<p>${capital(timeText(run))}.</p>
${when(run.notes.length > 0, () => notesMarkup(run.notes))}
<h3>Settings</h3>${settingsMarkup(run)}
</section>`;

function notesMarkup(notes: readonly string[]): Markup {
  return markup`<h3>Notes</h3><ul class="notes">
${notes.slice(0, most).map((note) => markup`<li>${oneLine(note, 1_000)}</li>`)}</ul>
${moreMarkup(notes.length - most, 'note', 'in conformance.json')}`;
}

function settingsMarkup({ settings }: Run): Markup {
  const rows = Object.entries(settings).map(
    ([name, value]) => markup`<tr><th scope="row">${name}</th><td><code>${oneLine(value, 300)}</code></td></tr>`,
  );
  return scrolling('Settings', markup`<table class="fields"><tbody>${rows}</tbody></table>`);
}

import type { Run } from '../../results/verdict.ts';
import { reportFiles } from '../files.ts';
import { capital, oneLine } from '../text.ts';
import { timeText } from '../time-text.ts';
import { type Markup, markup, moreMarkup, scrolling, when } from './markup.ts';

const most = 200;

/** The last section of the page: time, notes, settings, and the other files. */
export const aboutMarkup = (run: Run): Markup =>
  markup`<section class="about" id="run" aria-labelledby="run-title"><h2 id="run-title">About the run</h2>
<p>${capital(timeText(run))}.</p>
${when(run.notes.length > 0, () => notesMarkup(run.notes))}
<h3>Settings</h3>${settingsMarkup(run)}
<h3>Files beside this page</h3>${filesMarkup()}
</section>`;

function filesMarkup(): Markup {
  const rows = Object.entries(reportFiles)
    .filter(([name]) => name !== 'conformance.html')
    .map(
      ([name, purpose]) =>
        markup`<tr><th scope="row"><code>${name}</code></th><td>${purpose.replaceAll('`', '')}</td></tr>`,
    );
  return scrolling('Files', markup`<table class="fields"><tbody>${rows}</tbody></table>`);
}

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

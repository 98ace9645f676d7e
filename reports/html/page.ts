import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { counted } from '../../common/words.ts';
import { type ApiName, apiNames } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { rootCausesOf } from '../../results/root-causes.ts';
import type { Drift, Run } from '../../results/verdict.ts';
import { capital, oneLine, shortJson } from '../text.ts';
import { timeText } from '../time-text.ts';
import { type Chapter, chaptersOf, failingVerdicts, headline, inScope, narrowed } from '../words.ts';
import { causesMarkup } from './causes.ts';
import { chapterMarkup, outsideMarkup, type Shown } from './chapter.ts';
import { createEvidence } from './finding.ts';
import { headerMarkup } from './header.ts';
import { type Markup, markup, moreMarkup, scrolling, tableMarkup, trusted, when } from './markup.ts';
import { filterMarkup, gridMarkup } from './navigation.ts';
import { trafficMarkup } from './traffic.ts';

const [style, script] = ['style.css', 'in-browser.js'].map((name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8'),
) as [string, string];

/** How many changes and notes the page shows. */
const mostRows = 200;

/** The page's security policy allows our own style and script alone, by their hashes. */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; base-uri 'none'; form-action 'none'`;

/**
 * conformance.html: a self-contained page. It can be read without scripts, and is printed with everything open. `more`: a
 * section behind the clauses.
 */
export function htmlReport(run: Run, more: Markup | null = null): string {
  const chapters = chaptersOf(inScope(run));
  const apis = apiNames.filter((api) => run.clauses.some(({ id }) => apiOf(id) === api));
  const evidence = createEvidence(run);
  const alone = failingVerdicts(run)
    .flatMap((verdict) => rootCausesOf(run.clauses, verdict))
    .flatMap(({ clauses }) => (clauses.length === 1 ? clauses : []));
  const body = markup`<a class="skip-link" href="#clauses">To the clauses</a>
${headerMarkup(run)}
<main>
${causesMarkup(run, evidence)}
${driftMarkup(run.drift)}
${gridMarkup(chapters)}
${filterMarkup(run)}
<div id="clauses">${apis.map((api) => apiMarkup(run, api, chapters, { evidence, alone }))}</div>
${more}${trafficMarkup(run)}
${aboutMarkup(run)}
</main>`;
  const title = `${[headline(run), ...narrowed(run)].join(', ')} · ${run.suite.name}`;
  const page = markup`<!doctype html>
<html lang="en" data-conformant="${String(run.conformant)}" data-exit="${run.exitCode}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
${body}
<script>${trusted(script)}</script>
</body>
</html>`;
  return `${page.toString()}\n`;
}

function apiMarkup(run: Run, api: ApiName, chapters: readonly Chapter[], shown: Shown): Markup {
  const own = chapters.filter(({ name }) => apiOf(name) === api);
  return markup`<section class="api-part" id="${api}" aria-labelledby="${api}-title">
<h2 id="${api}-title">${api} API</h2>
${own.map((chapter) => chapterMarkup(chapter, shown))}
${outsideMarkup(run.clauses, api)}</section>`;
}

/** What changed against PROFILE; null if nothing did, or no profile is given. */
function driftMarkup(drift: readonly Drift[] | null): Markup | null {
  if (drift === null || drift.length === 0) {
    return null;
  }
  const rows = drift.slice(0, mostRows).map(
    ({ clause, place, before, now }) => markup`<tr><td><a href="#${clause}">${clause}</a></td>
<td><code>${oneLine(place, 300)}</code></td><td><code>${shortJson(before)}</code></td><td><code>${shortJson(now)}</code></td></tr>`,
  );
  return markup`<section class="drift" id="drift" aria-labelledby="drift-title">
<h2 id="drift-title">Drift <span class="of">${counted(drift.length, 'change')} against PROFILE</span></h2>
${scrolling('Drift', tableMarkup('rows', ['Clause', 'Place', 'Before', 'Now'], rows))}
${moreMarkup(drift.length - mostRows, 'change', 'in conformance.json')}</section>`;
}

/** The last section of the page: time, notes, settings. */
const aboutMarkup = (run: Run): Markup =>
  markup`<section class="about" id="run" aria-labelledby="run-title"><h2 id="run-title">About the run</h2>
<p>${capital(timeText(run))}.</p>
${when(run.notes.length > 0, () => notesMarkup(run.notes))}
<h3>Settings</h3>${settingsMarkup(run)}
</section>`;

function notesMarkup(notes: readonly string[]): Markup {
  return markup`<h3>Notes</h3><ul class="notes">
${notes.slice(0, mostRows).map((note) => markup`<li>${oneLine(note, 1_000)}</li>`)}</ul>
${moreMarkup(notes.length - mostRows, 'note', 'in conformance.json')}`;
}

function settingsMarkup({ settings }: Run): Markup {
  const rows = Object.entries(settings).map(
    ([name, value]) => markup`<tr><th scope="row">${name}</th><td><code>${oneLine(value, 300)}</code></td></tr>`,
  );
  return scrolling('Settings', markup`<table class="fields"><tbody>${rows}</tbody></table>`);
}

import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { rootCausesOf } from '../../results/root-causes.ts';
import type { Run } from '../../results/verdict.ts';
import { type Chapter, chaptersOf, failingVerdicts, headline, inScope, narrowed } from '../words.ts';
import { aboutMarkup } from './about.ts';
import { causesMarkup } from './causes.ts';
import { driftMarkup } from './changes.ts';
import { chapterMarkup, outsideMarkup, type Shown } from './chapter.ts';
import { documentText, pageStyle, textBeside } from './document.ts';
import { createEvidence } from './evidence.ts';
import { gridMarkup } from './grid.ts';
import { headerMarkup } from './header.ts';
import { type Markup, markup } from './markup.ts';
import { contentsMarkup, filterMarkup } from './navigation.ts';
import { observationsMarkup } from './observed.ts';
import { trafficMarkup } from './traffic.ts';

const script = textBeside(import.meta.url, 'in-browser.js');

/** conformance.html: a self-contained page. It can be read without scripts, and is printed with everything open. */
export function htmlReport(run: Run): string {
  const chapters = chaptersOf(inScope(run));
  const evidence = createEvidence(run);
  const alone = failingVerdicts(run)
    .flatMap((verdict) => rootCausesOf(run.clauses, verdict))
    .flatMap(({ clauses }) => (clauses.length === 1 ? clauses : []));
  const body = markup`<a class="skip-link" href="#clauses">To the clauses</a>
${headerMarkup(run)}
<div class="columns">${contentsMarkup(run, chapters)}
<main>
${causesMarkup(run, evidence)}
${driftMarkup(run.drift)}
${gridMarkup(chapters)}
${filterMarkup(run)}
<div id="clauses">${(['developer', 'workspace'] as const).map((api) => apiMarkup(run, api, chapters, { evidence, alone }))}</div>
${observationsMarkup(run)}
${trafficMarkup(run)}
${aboutMarkup(run)}
</main></div>`;
  return documentText({
    title: `${[headline(run), ...narrowed(run)].join(', ')} · ${run.suite.name}`,
    conformant: run.conformant,
    exitCode: run.exitCode,
    styles: [pageStyle],
    scripts: [script],
    body,
  });
}

function apiMarkup(run: Run, api: ApiName, chapters: readonly Chapter[], shown: Shown): Markup {
  const own = chapters.filter(({ name }) => apiOf(name) === api);
  return markup`<section class="api-part" id="${api}" aria-labelledby="${api}-title">
<h2 id="${api}-title">${api} API</h2>
${own.map((chapter) => chapterMarkup(chapter, shown))}
${outsideMarkup(run.clauses, api)}</section>`;
}

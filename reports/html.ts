import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { apiOf } from '../contract/clauses.ts';
import type { Exchange } from '../results/exchange.ts';
import type { Run } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';
import { aboutMarkup } from './html/about.ts';
import { chapterMarkup, type Page } from './html/clause.ts';
import { type Markup, markup, trusted } from './html/markup.ts';
import { contentsMarkup, overviewMarkup, totalsMarkup } from './html/overview.ts';
import { type Chapter, chaptersOf, finderOf, headline } from './words.ts';

const part = (name: string): string => readFileSync(new URL(`./html/${name}`, import.meta.url), 'utf8');
const style = part('style.css');
const script = part('page.js');

/** The page runs its own style and script, and nothing that a target managed to put into it. */
const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** conformance.html: one page that holds all it needs. Reads without a script; printing opens everything. */
export function htmlReport(whole: Run, exchanges: readonly Exchange[]): string {
  const run = boundRun(whole);
  const chapters = chaptersOf(run.clauses);
  const page: Page = { find: finderOf(exchanges), placed: new Set() };
  const body = markup`<a class="skip-link" href="#clauses">To the clauses</a>
${overviewMarkup(run)}
<div class="columns">${contentsMarkup(chapters)}
<main id="clauses">${totalsMarkup(run)}
${(['developer', 'workspace'] as const).map((api) =>
  apiMarkup(
    api,
    chapters.filter(({ name }) => apiOf(name) === api),
    page,
  ),
)}
${aboutMarkup(run)}</main></div>`;
  return `${documentMarkup(run, body).toString()}\n`;
}

const apiMarkup = (api: string, chapters: readonly Chapter[], page: Page): Markup =>
  markup`<section class="api-part" id="${api}" aria-labelledby="${api}-title"><h2 id="${api}-title">${api} API</h2>
${chapters.map((chapter) => chapterMarkup(chapter, page))}</section>`;

const documentMarkup = (run: Run, body: Markup): Markup => markup`<!doctype html>
<html lang="en" data-conformant="${String(run.conformant)}" data-exit="${run.exitCode}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${headline(run)} · ${run.suite.name}</title>
<style>${trusted(style)}</style>
</head>
<body>
${body}
<script>${trusted(script)}</script>
</body>
</html>`;

import { expect, test } from 'vitest';
import { clauses } from '../../../../contract/clauses.ts';
import { workspaceClauses } from '../../../../contract/workspace-clauses.ts';
import { htmlReport } from '../../../../reports/html/page.ts';
import { samples } from '../sample-runs.ts';

const page = htmlReport(samples.failing);

test('the page sends no requests', () => {
  expect(page).not.toMatch(/<(link|img|iframe|object|embed|form|base)\b|\bsrc=|@import|url\(|<[^>]* style=/i);
  expect(page).toMatch(
    /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[^ ;]+&#39;; script-src &#39;sha256-/,
  );
});

test.each(Object.entries(samples))('it has each id once, and every link leads to one, on the run %s', (_name, run) => {
  const text = htmlReport(run);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(new Set(ids).size);
  expect([...text.matchAll(/ href="#([^"]+)"/g)].map(([, to]) => to).filter((to) => !ids.includes(to))).toEqual([]);
});

const timed = { ...samples.green, clauses: samples.green.clauses.map((one) => ({ ...one, durationMs: 1_234 })) };
const judged = `<span class="partial">${clauses.length - 6} of ${clauses.length} clauses judged</span>`;
const notJudged = `${workspaceClauses.length} clauses not judged</h3> <span class="of">WORKSPACE_API_URL is not set`;

test.for<[string, string, RegExp | string]>([
  ['an exchange in full where it is first named', page, '<details class="exchange" id="exchange-3">'],
  ['the accepted twin of a refused call', page, /Accepted twin<\/span> <span class="samples"><span class="number">1</],
  ['failed clauses open', page, /<details class="clause fail" id="developer\.auth\.deleted-key"[^>]* open>/],
  ['others folded', page, /<details class="clause observed" id="developer\.errors\.shape"[^>]*"observed">/],
  ['chapters with failures open', page, '<details class="chapter" id="developer.auth" open>'],
  ['other chapters folded', page, '<details class="chapter" id="developer.investor">'],
  ['what a pass is based on', page, /id="developer\.envelope\.json"[\s\S]*?Judged on 3 calls/],
  ["the document's words", page, '<q>A missing or invalid key is refused with 401 UNAUTHORIZED.</q>'],
  ['how long a clause took', htmlReport(timed), /<span class="took" [^>]*>1\.2 s<\/span>/],
  ['what was not judged, in one line', htmlReport(samples.oneApi), notJudged],
  ['how much was judged, if settings left some undecided', page, new RegExp(`<h1>Not conformant\\s*${judged}</h1>`)],
  ['the verdict alone otherwise', htmlReport(samples.green), '<h1>Conformant</h1>'],
  ['drift', page, '3 changes against PROFILE'],
  ['what would decide more', page, /Set <code>WRITES=all<\/code> to judge 1 more clause/],
  ['what to fix first', page, /Fix first<\/p><ul><li><a href="#workspace\.bookings\.create">/],
])('it shows %s', ([, text, shown]) => {
  expect(text).toMatch(shown);
});

test('it shows no clause that was not to be judged in the grid, and the deployment once', () => {
  expect(htmlReport(samples.oneApi)).not.toContain('class="cell skip');
  expect(htmlReport(samples.reference).match(/no deployment of yours/gi)).toHaveLength(1);
});

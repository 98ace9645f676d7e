import { describe, expect, test } from 'vitest';
import { clauses } from '../../../../contract/clauses.ts';
import { workspaceClauses } from '../../../../contract/workspace-clauses.ts';
import { htmlReport } from '../../../../reports/html/page.ts';
import { samples } from '../sample-runs.ts';

const page = htmlReport(samples.failing);
describe('conformance.html', () => {
  test('sends no requests', () => {
    expect(page).not.toMatch(/<(link|img|iframe|object|embed|form|base)\b|\bsrc=|@import|url\(/i);
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[^ ;]+&#39;; script-src &#39;sha256-/,
    );
    expect(page).not.toMatch(/<[^>]* style=/);
  });

  test.each(Object.entries(samples))('has each id once, and every link leads to one, on the run %s', (_name, run) => {
    const text = htmlReport(run);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    expect([...text.matchAll(/ href="#([^"]+)"/g)].map(([, to]) => to).filter((to) => !ids.includes(to))).toEqual([]);
  });

  test('shows an exchange in full where it is first named, with the accepted twin of a refused call', () => {
    expect(page).toContain('<details class="exchange" id="exchange-3">');
    expect(page).not.toContain('id="exchange-1"');
    expect(page).toMatch(/Accepted twin<\/span> <span class="samples"><span class="number">1<\/span>/);
  });

  test('shows failed clauses open and the others folded', () => {
    expect(page).toMatch(/<details class="clause fail" id="developer\.auth\.deleted-key"[^>]* open>/);
    expect(page).toMatch(/<details class="clause observed" id="developer\.errors\.shape"[^>]*"observed">/);
    expect(page).toContain('<details class="chapter" id="developer.auth" open>');
    expect(page).toContain('<details class="chapter" id="developer.investor">');
  });

  test('says what a pass is based on', () => {
    expect(page).toMatch(/id="developer\.envelope\.json"[\s\S]*?Judged on 3 calls/);
  });

  test('quotes the document, and says how long a clause took', () => {
    expect(page).toContain('<q>A missing or invalid key is refused with 401 UNAUTHORIZED.</q>');
    const timed = { ...samples.green, clauses: samples.green.clauses.map((one) => ({ ...one, durationMs: 1_234 })) };
    expect(htmlReport(timed)).toMatch(/<span class="took" [^>]*>1\.2 s<\/span>/);
  });

  test('lists clauses that were not judged in one line, and names the deployment once', () => {
    const one = htmlReport(samples.oneApi);
    expect(one).toContain(
      `${workspaceClauses.length} clauses not judged</h3> <span class="of">WORKSPACE_API_URL is not set`,
    );
    expect(one).not.toContain('class="cell skip');
    expect(htmlReport(samples.reference).match(/no deployment of yours/gi)).toHaveLength(1);
  });

  test('says next to the verdict how much was judged, if settings left clauses undecided', () => {
    const partial = `<span class="partial">${clauses.length - 6} of ${clauses.length} clauses judged</span>`;
    expect(page).toMatch(new RegExp(`<h1>Not conformant\\s*${partial}</h1>`));
    expect(htmlReport(samples.green)).toContain('<h1>Conformant</h1>');
  });

  test('shows drift, what would decide more, and what to fix first', () => {
    expect(page).toContain('3 changes against PROFILE');
    expect(page).toMatch(/Set <code>WRITES=all<\/code> to judge 1 more clause/);
    expect(page).toMatch(/Fix first<\/p><ul><li><a href="#workspace\.bookings\.create">/);
  });
});

import { expect, test } from 'vitest';
import { deliveriesHar } from '../../../reports/har.ts';
import { htmlReport } from '../../../reports/html/page.ts';
import { markdownReport } from '../../../reports/markdown.ts';
import { readRequests } from '../../../webhooks/capture/read.ts';
import { expectAgreement } from './expect-agreement.ts';
import { everything, samples } from './sample-runs.ts';

// For arbitrary runs: selftest/robust/reports.test.ts.
test.each(Object.entries(samples))('all reports and the exit status agree on the run %s', (_, run) => {
  expectAgreement(run);
  expect(markdownReport(run).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  // The page has each id once, links to no other, and sends no requests.
  const page = htmlReport(run);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(new Set(ids).size);
  expect([...page.matchAll(/ href="#([^"]+)"/g)].map(([, to]) => to).filter((to) => !ids.includes(to))).toEqual([]);
  expect(page).not.toMatch(/<(link|img|iframe|object|embed|form|base)\b|\bsrc=|@import|url\(|<[^>]* style=/i);
});

test('npm run signature reads the deliveries back from deliveries.har', () => {
  const [read] = readRequests(Buffer.from(deliveriesHar(samples.failing)));
  const [sent] = everything.deliveries;
  expect(read).toMatchObject({
    ...{ method: sent.method, url: '/hook/1', registeredUrl: sent.url, headers: sent.headers },
    body: Buffer.from(sent.body),
  });
});

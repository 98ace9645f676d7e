import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { consoleReport } from '../../../reports/console/console.ts';
import { deliveriesHar, exchangesHar } from '../../../reports/har.ts';
import { htmlReport } from '../../../reports/html/page.ts';
import { jsonReport } from '../../../reports/json.ts';
import { junitReport } from '../../../reports/junit.ts';
import { markdownReport } from '../../../reports/markdown.ts';
import type { Run } from '../../../results/verdict.ts';
import { readRequests } from '../../../webhooks/capture/read.ts';
import { expectAgreement } from './expect-agreement.ts';
import { everything, samples } from './sample-runs.ts';

/** The reports that people read as text, one after the other. */
const texts = (run: Run): string =>
  [
    ['console', consoleReport(run, { page: 'reports/latest/conformance.html' })],
    ['summary.md', markdownReport(run)],
  ]
    .map(([name, text]) => `===== ${name}\n${text}`)
    .join('\n');

const isUsual = (observed: unknown): boolean => /^null$|^\{"seen":true\}$/.test(JSON.stringify(observed));

/** The failing run with times, and without most clauses of which reports say nothing but that they passed. */
const short: Run = {
  ...samples.failing,
  clauses: samples.failing.clauses
    .filter(({ findings, observed }, place) => findings.length > 0 || place % 40 === 0 || !isUsual(observed))
    .map((one, place) => ({ ...one, durationMs: 250 * place })),
};

/** How each run ends. */
const endings = (): string =>
  Object.entries(samples)
    .map(([name, run]) => {
      const lines = consoleReport(run).trimEnd().split('\n');
      const errors = junitReport(run).match(/name="[\w.-]+" time="[^"]*">\s*<(error|failure) message="[^"]*"/g) ?? [];
      const shown = [...markdownReport(run).split('\n', 3), ...errors.slice(0, 2)];
      return [`===== ${name}`, lines[0], '…', ...lines.slice(-2), ...shown].join('\n');
    })
    .join('\n');

// After a change that is meant: npx vitest run --project unit selftest/unit/reports/golden.test.ts -u
test.for<[file: string, text: () => string]>([
  ['failing.txt', () => texts(samples.failing)],
  ['green.txt', () => texts(samples.green)],
  ['endings.txt', endings],
  ['junit.xml', () => junitReport(short)],
  ['exchanges.har', () => exchangesHar(samples.failing)],
  ['conformance.txt', () => jsonReport(short)],
  // The policy has a hash of the style, and one of the script; parts that are not there leave empty lines.
  [
    'page.html',
    () =>
      htmlReport(short)
        .replace(/<(style|script)>.*?<\/\1>|sha256-[\w+/=]+/gs, '…')
        .replace(/\n\s*\n/g, '\n'),
  ],
])('what people and tools read is as recorded: %s', async ([file, text]) => {
  await expect(text()).toMatchFileSnapshot(`golden/${file}`);
});

test('the console has colour only on request, and keeps to the width but for commands and the last line', () => {
  const text = consoleReport(samples.failing);
  expect(text).not.toContain('\u001b');
  expect(stripVTControlCharacters(consoleReport(samples.failing, { colour: true }))).toBe(text);
  const prose = text.trimEnd().split('\n').slice(0, -1);
  expect(prose.filter((line) => line.length > 100 && !/^ {4}(repeat| {6}) {5}/.test(line))).toEqual([]);
});

test.each(Object.entries(samples))('all reports and the exit status agree on the run %s', (_, run) => {
  const reports = expectAgreement(run);
  expect(reports.get('summary.md')?.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  // The page has each id once, links to no other, and sends no requests.
  const page = reports.get('conformance.html') ?? '';
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(new Set(ids).size);
  expect([...page.matchAll(/ href="#([^"]+)"/g)].map(([, to]) => to).filter((to) => !ids.includes(to))).toEqual([]);
  expect(page).not.toMatch(/<(link|img|iframe|object|embed|form|base)\b|\bsrc=|@import|url\(|<[^>]* style=/i);
});

test('npm run signature reads the deliveries back from deliveries.har', () => {
  const [read] = readRequests(Buffer.from(deliveriesHar(samples.failing)));
  const [sent] = everything.deliveries;
  expect(read).toMatchObject({
    method: sent.method,
    url: '/hook/1',
    registeredUrl: sent.url,
    headers: sent.headers,
    body: Buffer.from(sent.body),
  });
});

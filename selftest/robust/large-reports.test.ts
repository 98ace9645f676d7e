import { expect, test } from 'vitest';
import { consoleReport } from '../../reports/console/console.ts';
import { reportTexts } from '../../reports/write.ts';
import { exchangeWith, findingAbout, resultsOf, runOf } from '../unit/reports/sample.ts';

test('a target that sends megabytes gets reports that can still be opened, and that say what was cut off', () => {
  const long = '😀<&"\u001b'.repeat(800_000);
  const finding = findingAbout(1, {
    message: long,
    expected: long,
    actual: long,
    place: long,
    cause: long,
    curl: long,
  });
  const run = runOf({
    results: resultsOf({
      'developer.auth.deleted-key': { verdict: 'fail', findings: [finding] },
      'developer.errors.shape': { verdict: 'observed', observed: { [long]: long } },
    }),
    notes: [long],
    trouble: long,
  });
  for (const [name, report] of [...reportTexts(run), ['console', consoleReport(run)] as const]) {
    expect(report.length, name).toBeLessThan(3_000_000);
    expect(report.isWellFormed(), name).toBe(true);
  }
  expect(consoleReport(run)).toMatch(/… \(cut, [\d,]+ characters in all\)/);
});

test('a target that sends megabytes gets no report broken by a deep or wide value', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 5_000; level += 1) {
    deep = level % 2 === 0 ? [deep] : { deep };
  }
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, 'x'.repeat(100)]));
  const run = runOf({
    results: resultsOf({
      'developer.errors.shape': {
        verdict: 'observed',
        observed: { deep, wide, long: Array.from({ length: 20_000 }, () => wide) },
      },
    }),
  });
  for (const [name, report] of reportTexts(run)) {
    expect(report.length, name).toBeLessThan(3_000_000);
  }
  expect(consoleReport(run).length).toBeLessThan(100_000);
});

test('a target that sends megabytes gets a page of limited size despite thousands of findings', () => {
  const findings = Array.from({ length: 3_000 }, (_, index) => ({ message: `Finding ${index}`, exchange: index }));
  const exchanges = findings.map((_, index) =>
    exchangeWith({
      number: index,
      request: { method: 'GET', url: 'https://x.example/', headers: [], body: 'y'.repeat(9_000) },
    }),
  );
  const reports = reportTexts(
    runOf({ results: resultsOf({ 'developer.envelope.json': { verdict: 'fail', findings } }), exchanges }),
  );
  expect(reports.get('conformance.html')?.length).toBeLessThan(1_000_000);
  expect(reports.get('conformance.json')).toContain('2,801 further findings are left out');
  expect(reports.get('junit.xml')?.length).toBeLessThan(200_000);
});

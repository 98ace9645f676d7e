import { expect, test } from 'vitest';
import { consoleReport } from '../../reports/console/console.ts';
import { reportTexts } from '../../reports/write.ts';
import { exchangeWith, findingAbout, type Ingredients, resultsOf, runOf } from '../unit/reports/sample.ts';

const long = '😀<&"\u001b'.repeat(800_000);
const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, 'x'.repeat(100)]));
const deep = Array.from({ length: 5_000 }).reduce<unknown>(
  (inner, _, level) => (level % 2 === 0 ? [inner] : { deep: inner }),
  'bottom',
);
const findings = Array.from({ length: 3_000 }, (_, index) => ({ message: `Finding ${index}`, exchange: index }));
const shape = 'developer.errors.shape';

/** What a target sends, its reports' most characters where that is less than three million, and what one of them says. */
test.for<[string, () => Ingredients, Readonly<Record<string, number>>, [file: string, says: RegExp]]>([
  [
    'long texts',
    () => {
      const texts = { message: long, expected: long, actual: long, place: long, cause: long, curl: long };
      const results = resultsOf({
        'developer.auth.deleted-key': { verdict: 'fail', findings: [findingAbout(1, texts)] },
        [shape]: { verdict: 'observed', observed: { [long]: long } },
      });
      return { results, notes: [long], trouble: long };
    },
    {},
    ['console', /… \(cut, [\d,]+ characters in all\)/],
  ],
  [
    'deep and wide values',
    () => {
      const observed = { deep, wide, long: Array.from({ length: 20_000 }, () => wide) };
      return { results: resultsOf({ [shape]: { verdict: 'observed', observed } }) };
    },
    { console: 100_000 },
    ['conformance.json', /"key 1"/],
  ],
  [
    'thousands of wrong answers',
    () => {
      const request = { method: 'GET', url: 'https://x.example/', headers: [], body: 'y'.repeat(9_000) };
      return {
        results: resultsOf({ 'developer.envelope.json': { verdict: 'fail', findings } }),
        exchanges: findings.map((_, number) => exchangeWith({ number, request })),
      };
    },
    // Exchanges are cut when they are recorded.
    { 'conformance.html': 1_000_000, 'junit.xml': 200_000, 'exchanges.har': 40_000_000 },
    ['conformance.json', /2,801 further findings are left out/],
  ],
])(
  'a target that sends %s gets reports that can be opened, and say what was cut off',
  ([, ingredients, most, said]) => {
    const one = runOf(ingredients());
    const reports = new Map([...reportTexts(one), ['console', consoleReport(one)]]);
    for (const [name, report] of reports) {
      expect(report.length, name).toBeLessThan(most[name] ?? 3_000_000);
      expect(report.isWellFormed(), name).toBe(true);
    }
    expect(reports.get(said[0])).toMatch(said[1]);
  },
);

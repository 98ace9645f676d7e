import { expect, test } from 'vitest';
import { createRedactor } from '../../common/redact.ts';
import { clauses } from '../../contract/clauses.ts';
import { consoleReport } from '../../reports/console/console.ts';
import { reportTexts } from '../../reports/write.ts';
import { redactedRun } from '../../results/redact-run.ts';
import { type Run, totalsOf } from '../../results/verdict.ts';
import { hostileTexts } from '../hostile-texts.ts';
import { readJunit } from '../unit/reports/read-junit.ts';
import { exchangeWith, findingAbout, type Ingredients, resultsOf, retold, runOf } from '../unit/reports/sample.ts';
import { everything } from '../unit/reports/sample-runs.ts';

/** The reports over a run, with the console's text, by name. */
const reportsOf = (run: Run): ReadonlyMap<string, string> =>
  new Map([...reportTexts(run), ['console', consoleReport(run)]]);

const long = '😀<&"\u001b'.repeat(800_000);
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
    const reports = reportsOf(one);
    for (const [name, report] of reports) {
      expect(report.length, name).toBeLessThan(most[name] ?? 3_000_000);
      expect(report.isWellFormed(), name).toBe(true);
    }
    expect(reports.get(said[0])).toMatch(said[1]);
  },
);

/** A run with one text wherever a target's text can stand. */
function everywhere(text: string): Run {
  const { results, exchanges, deliveries, notes, waivers, ...rest } = everything;
  const told = retold({ results, exchanges, deliveries, notes, waivers }, () => text);
  const run = runOf({ ...rest, ...told, trouble: `Trouble: ${text}` });
  return { ...run, reason: `${run.reason}: ${text}` };
}

test('a secret that was learnt late is in no report, in whatever way reports escape a text', () => {
  const secret = 'whsec_q7Rk2m"Zx9TbV4<nLw8HcJ';
  const redactor = createRedactor();
  redactor.learn(secret);
  for (const [name, text] of reportsOf(redactedRun(everywhere(`Shown: ${secret}, twice: ${secret}`), redactor))) {
    expect([name, text.match(/Rk2m|Zx9T|8HcJ/g)]).toEqual([name, null]);
  }
});

const { fail: failures } = totalsOf(everywhere('').clauses);

test.each(Object.entries(hostileTexts))('the text %s does no harm in any report', (_name, text) => {
  const reports = reportsOf(everywhere(text));
  const of = (name: string): string => reports.get(name) ?? '';
  for (const [name, report] of reports) {
    expect(report.isWellFormed(), name).toBe(true);
    expect(() => (/\.(json|har)$/.test(name) ? (JSON.parse(report) as unknown) : null), name).not.toThrow();
  }

  // The console gets no control character, and no line that the target wrote.
  expect(of('console')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const lines = of('console').trimEnd().split('\n');
  expect(lines.findIndex((line) => /^(conformant|not conformant|unknown)\b/i.test(line))).toBe(lines.length - 1);

  // The page has only the suite's own markup.
  const page = of('conformance.html');
  const tags = [...page.matchAll(/<(\/?[a-zA-Z][^\s>/]*)/g)].map(([, tag]) => tag ?? '');
  const count = (wanted: string): number => tags.filter((tag) => tag === wanted).length;
  expect(['style', 'script', 'img', 'failure/'].map(count)).toEqual([1, 1, 0, 0]);
  expect(['details', 'pre'].map((tag) => count(tag) - count(`/${tag}`))).toEqual([0, 0]);
  expect(page).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufdd0-\ufdef\ufffe\uffff]/u);

  // junit.xml can be parsed, and has only characters of XML 1.0.
  expect(of('junit.xml')).not.toMatch(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  expect(readJunit(of('junit.xml'))).toMatchObject({
    cases: clauses.length,
    failures,
  });

  // The summary has its own blocks and links alone.
  const summary = of('summary.md');
  const outside = outsideFences(summary);
  expect(outside).not.toMatch(/<[a-z/!]/i);
  expect(outside.match(/^ {0,3}# /gm)).toHaveLength(1);
  expect(outside.replace('[conformance.html](conformance.html)', '')).not.toMatch(/(?<!\\)!?\[[^\]]*\]\(/);
  expect(outside).not.toMatch(/:\/\/evil|\bwww\.|@(?:everyone|evil)|#1\b|GH-1/);
  expect([summary.split('\n').length <= 41, summary.length <= 60_000]).toEqual([true, true]);

  // No line is a command to a CI runner.
  expect(of('console')).not.toMatch(/^\s*::|##\[|##vso\[|##teamcity\[/m);
});

/**
 * The lines of a Markdown text outside of fenced blocks, by the rules of CommonMark. Throws if a fence is not closed.
 */
function outsideFences(text: string): string {
  let open = '';
  const outside: string[] = [];
  for (const line of text.split('\n')) {
    const [, fence = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === '' && fence !== '' && !(fence.startsWith('`') && info.includes('`'))) {
      open = fence;
    } else if (open !== '' && fence.startsWith(open) && info.trim() === '') {
      open = '';
    } else if (open === '') {
      outside.push(line.replace(/(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, ''));
    }
  }
  if (open !== '') {
    throw new Error(`Cannot read the summary: the fence ${open} stays open`);
  }
  return outside.join('\n');
}

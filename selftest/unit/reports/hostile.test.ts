import { describe, expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { hostileTexts } from '../../hostile-texts.ts';
import { reportsFor } from './everywhere.ts';
import { readJunit } from './readings.ts';

describe.each(Object.entries(hostileTexts))('reports over the text %s', (_name, text) => {
  const reports = reportsFor(text);
  const of = (name: string): string => reports.get(name) ?? '';

  test('are well-formed Unicode', () => {
    for (const report of reports.values()) {
      expect(report.isWellFormed()).toBe(true);
    }
  });

  test('the console gets no control character, and no line that the target wrote', () => {
    expect(of('console')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    const verdictLines = of('console')
      .split('\n')
      .filter((line) => /^(conformant|not conformant|unknown)\b/i.test(line));
    expect(verdictLines).toHaveLength(1);
    expect(
      of('console')
        .trimEnd()
        .endsWith(verdictLines[0] ?? 'none'),
    ).toBe(true);
  });

  test("the page has only the suite's own markup", () => {
    const tags = [...of('conformance.html').matchAll(/<(\/?[a-zA-Z][^\s>/]*)/g)].map(([, tag]) => tag ?? '');
    expect(tags.filter((tag) => tag === 'script' || tag === 'style')).toEqual(['style', 'script']);
    expect(tags.filter((tag) => tag === 'img' || tag === 'failure/')).toEqual([]);
    expect(tags.filter((tag) => tag === 'details')).toHaveLength(tags.filter((tag) => tag === '/details').length);
    expect(tags.filter((tag) => tag === 'pre')).toHaveLength(tags.filter((tag) => tag === '/pre').length);
    expect(of('conformance.html')).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
  });

  test('junit.xml can be parsed, and has only characters of XML 1.0', () => {
    expect(of('junit.xml')).not.toMatch(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    expect(readJunit(of('junit.xml'))).toMatchObject({ cases: clauses.length, failures: 1 });
  });

  test('the summary separates its blocks', () => {
    const outside = outsideFences(of('summary.md'));
    expect(outside).not.toMatch(/<[a-z/!]/i);
    expect(outside.split('\n').filter((line) => /^ {0,3}# /.test(line))).toHaveLength(1);
    expect(outside.replace('[conformance.html](conformance.html)', '')).not.toMatch(/(?<!\\)!?\[[^\]]*\]\(/);
    expect(outside).not.toMatch(/:\/\/evil|\bwww\.|@(?:everyone|evil)|#1\b|GH-1/);
    expect(of('summary.md').split('\n').length).toBeLessThanOrEqual(41);
    expect(of('summary.md').length).toBeLessThanOrEqual(60_000);
  });

  test('no line is a command to a CI runner, except the annotations', () => {
    expect(of('console')).not.toMatch(/^\s*::|##\[|##vso\[|##teamcity\[/m);
    expect(of('annotations')).not.toMatch(/##\[|##vso\[|##teamcity\[/);
    const lines = of('annotations').trimEnd().split('\n');
    expect(lines.filter((line) => !/^::(error|warning) title=[^\n:,]*::[^\n]+$/.test(line))).toEqual([]);
  });

  test('the JSON files parse', () => {
    for (const name of ['conformance.json', 'profile.json', 'exchanges.har', 'deliveries.har']) {
      expect(() => JSON.parse(of(name)) as unknown).not.toThrow();
    }
  });
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

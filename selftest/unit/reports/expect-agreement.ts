import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import { expect } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import conformanceSchema from '../../../reports/conformance.schema.json' with { type: 'json' };
import { consoleReport } from '../../../reports/console/console.ts';
import { readingOrder } from '../../../reports/words.ts';
import { reportTexts } from '../../../reports/write.ts';
import profileSchema from '../../../results/profile.schema.json' with { type: 'json' };
import { type Run, totalsOf, wordOf } from '../../../results/verdict.ts';
import { type JunitReading, readJunit } from './read-junit.ts';

type Truth = Pick<Run, 'exitCode' | 'conformant' | 'clauses'>;

/** What every report must say: its headline, and how many clauses got each word. */
function wordsOf({ conformant, clauses: rows }: Truth): { readonly headline: string; readonly totals: string } {
  const headline = conformant === null ? 'Unknown' : conformant ? 'Conformant' : 'Not conformant';
  const counts = readingOrder.map((word): [number, string] => [
    rows.filter((row) => row.outside === undefined && wordOf(row) === word).length,
    word,
  ]);
  return { headline, totals: counts.flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`])).join(', ') };
}

/**
 * Expects that all reports show the same verdicts. `shown` is the output of the console, or null. Returns the reading
 * of junit.xml.
 */
export function expectSameVerdicts(
  reports: ReadonlyMap<string, string>,
  shown: string | null,
  truth: Truth,
): JunitReading {
  const report = (name: string): string => reports.get(name) ?? '';
  const { exitCode, conformant } = truth;
  const { headline, totals } = wordsOf(truth);
  const json = JSON.parse(report('conformance.json')) as Run;
  expect([json.exitCode, json.conformant, wordsOf(json)]).toEqual([exitCode, conformant, { headline, totals }]);
  const page = report('conformance.html');
  expect(page).toContain(`<html lang="en" data-conformant="${conformant}" data-exit="${exitCode}">`);
  expect(page).toMatch(new RegExp(`<h1>${headline}\\s*<`));
  const chips = [...page.matchAll(/<span class="number">(\d+)<\/span> (\w+)<\/label>/g)];
  expect(chips.map(([, count, word]) => `${count} ${word}`).join(', ')).toBe(totals);
  const summary = report('summary.md');
  expect(summary).toMatch(new RegExp(`^# \\S+ ${headline}(?: \\([a-z0-9, ]+\\))?\n`));
  expect(summary).toContain(`\n**Exit status ${exitCode}:**`);
  expect(summary).toMatch(new RegExp(`^\\*\\*Totals:\\*\\* ${totals}(?:, (?:no )?drift.*)?$`, 'm'));
  if (shown !== null) {
    const [told, last] = shown.trimEnd().split('\n').slice(-2);
    expect(told).toBe(`Totals  ${totals}`);
    expect(last).toMatch(new RegExp(`^${headline.toUpperCase()}(?:, PARTIAL)? \\(exit status ${exitCode}\\): .`));
  }
  const junit = readJunit(report('junit.xml'));
  expect([junit.cases, junit.failures + junit.errors > 0]).toEqual([clauses.length, exitCode !== 0]);
  return junit;
}

/** The published JSON Schemas of HAR 1.2 (package har-schema, written for draft 6). */
const harSchemas = dirname(createRequire(import.meta.url).resolve('har-schema'));
const har = formats.default(new Ajv({ strict: false })).addMetaSchema(draft06);
for (const name of readdirSync(harSchemas).filter((file) => file.endsWith('.json'))) {
  har.addSchema(JSON.parse(readFileSync(join(harSchemas, name), 'utf8')) as AnySchema);
}
const ours = formats.default(new Ajv2020());

/** Whether a report is as its published schema says, by the report's name. */
const isValid = {
  'conformance.json': ours.compile(conformanceSchema),
  'profile.json': ours.compile(profileSchema),
  'exchanges.har': har.compile({ $ref: 'har.json#' }),
  'deliveries.har': har.compile({ $ref: 'har.json#' }),
};

/**
 * Expects that the reports and the exit status agree by the rules of the interface, and that each fits its schema. Returns
 * the reports.
 */
export function expectAgreement(one: Run): ReadonlyMap<string, string> {
  const reports = reportTexts(one);
  const totals = totalsOf(one.clauses);
  const { failures } = expectSameVerdicts(reports, consoleReport(one), one);
  expect(failures).toBe(totals.fail + (one.settings.STRICT === '1' ? totals.warn : 0));
  expect({ 0: true, 1: false, 2: null }[one.exitCode]).toBe(one.conformant);
  for (const [name, validate] of Object.entries(isValid)) {
    expect([validate(JSON.parse(reports.get(name) ?? '')), validate.errors], name).toEqual([true, null]);
  }
  return reports;
}

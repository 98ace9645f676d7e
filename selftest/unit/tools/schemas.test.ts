import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { jsonReport } from '../../../reports/json.ts';
import { profileReport } from '../../../reports/profile.ts';
import { parseWaivers } from '../../../results/waivers.ts';
import { schemaFiles } from '../../../tools/schemas.ts';
import { samples } from '../reports/sample-runs.ts';

const isValid = (name: string): ReturnType<Ajv2020['compile']> =>
  formats.default(new Ajv2020({ allErrors: true })).compile(schemaFiles[name] ?? {});

test('conformance.json and profile.json of every kind of run are as their published schemas say', () => {
  const [report, profile] = [isValid('conformance.schema.json'), isValid('profile.schema.json')];
  for (const [name, run] of Object.entries(samples)) {
    expect([name, report(JSON.parse(jsonReport(run))), report.errors]).toEqual([name, true, null]);
    expect([name, profile(JSON.parse(profileReport(run))), profile.errors]).toEqual([name, true, null]);
  }
});

test('a file of waivers may name its schema, and what the schema takes is taken', () => {
  const waiver = { clause: 'developer.auth.query', reason: 'API-12', expires: '2027-01-31', owner: 'us' };
  const check = isValid('waivers.schema.json');
  for (const file of [[waiver], { $schema: './waivers.schema.json', waivers: [waiver] }]) {
    expect(check(file)).toBe(true);
    expect(parseWaivers(file)).toEqual([waiver]);
  }
  expect(check([{ ...waiver, expires: 'soon' }])).toBe(false);
  expect(check({ waiver: [waiver] })).toBe(false);
});

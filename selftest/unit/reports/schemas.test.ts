import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import conformanceSchema from '../../../reports/conformance.schema.json' with { type: 'json' };
import { jsonReport } from '../../../reports/json.ts';
import { profileReport } from '../../../reports/profile.ts';
import profileSchema from '../../../results/profile.schema.json' with { type: 'json' };
import { parseWaivers } from '../../../results/waivers.ts';
import waiversSchema from '../../../settings/waivers.schema.json' with { type: 'json' };
import { samples } from './sample-runs.ts';

const isValid = (schema: object): ReturnType<Ajv2020['compile']> =>
  formats.default(new Ajv2020({ allErrors: true })).compile(schema);

test('conformance.json and profile.json of every kind of run are as their published schemas say', () => {
  const [report, profile] = [isValid(conformanceSchema), isValid(profileSchema)];
  for (const [name, run] of Object.entries(samples)) {
    expect([name, report(JSON.parse(jsonReport(run))), report.errors]).toEqual([name, true, null]);
    expect([name, profile(JSON.parse(profileReport(run))), profile.errors]).toEqual([name, true, null]);
  }
});

test('a file of waivers may name its schema, and what the schema takes is taken', () => {
  const waiver = { clause: 'developer.auth.query', reason: 'API-12', expires: '2027-01-31', owner: 'us' };
  const check = isValid(waiversSchema);
  for (const file of [[waiver], { $schema: './waivers.schema.json', waivers: [waiver] }]) {
    expect(check(file)).toBe(true);
    expect(parseWaivers(file)).toEqual([waiver]);
  }
  expect(check([{ ...waiver, expires: 'soon' }])).toBe(false);
  expect(check({ waiver: [waiver] })).toBe(false);
});

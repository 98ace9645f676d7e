import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import conformanceSchema from '../../../reports/conformance.schema.json' with { type: 'json' };
import { jsonReport } from '../../../reports/json.ts';
import { profileReport } from '../../../reports/profile.ts';
import profileSchema from '../../../results/profile.schema.json' with { type: 'json' };
import type { Run } from '../../../results/verdict.ts';
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

test('conformance.json has its fields in one order, a row for each clause, and what follows from the rows', () => {
  const report = JSON.parse(jsonReport(samples.failing)) as { clauses: object[] };
  expect(Object.keys(report).join()).toBe(
    'format,suite,startedAt,durationMs,seed,targets,embedded,selection,conformant,exitCode,reason,totals,requests,timing,fixFirst,unlocks,clauses,drift,notes,settings',
  );
  expect(new Set(report.clauses.map((row) => Object.keys(row).join()))).toEqual(
    new Set(['id,level,title,source,verdict,findings,observed']),
  );
  expect(report).toMatchObject({
    totals: { fail: 3, warn: 1, pass: clauses.filter(({ level }) => level !== 'gap').length - 10 },
    fixFirst: [{ clause: 'workspace.bookings.create', waiting: ['workspace.events.booking-created'] }],
    unlocks: [
      { setting: 'WRITES=all', clauses: ['developer.auth.live-prefix'] },
      { setting: 'LIVE_API_KEY', clauses: ['developer.sandbox.isolation'] },
    ],
  });
  const waived = JSON.parse(jsonReport(samples.waived)) as Run & { totals: object };
  expect(waived.totals).toMatchObject({ inconclusive: 1, waived: 1 });
  expect(waived.clauses.flatMap(({ waiver, verdict }) => (waiver ? [[waiver.expires, verdict]] : []))).toEqual([
    ['2026-12-31', 'inconclusive'],
  ]);
});

import { describe, expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { jsonReport } from '../../../reports/json.ts';
import { samples } from './sample-runs.ts';

/** How many clauses pass or fail. */
const binding = clauses.filter(({ level }) => level !== 'gap').length;

describe('conformance.json', () => {
  const report = JSON.parse(jsonReport(samples.failing)) as Record<string, unknown>;

  test("has the fields of the interface and the suite's own", () => {
    expect(Object.keys(report).join()).toBe(
      'format,suite,startedAt,durationMs,seed,targets,embedded,selection,conformant,exitCode,reason,totals,requests,timing,fixFirst,unlocks,clauses,drift,since,notes,settings',
    );
    expect(report).toMatchObject({
      format: 1,
      conformant: false,
      exitCode: 1,
      totals: { fail: 3, warn: 1, pass: binding - 10 },
      fixFirst: [{ clause: 'workspace.bookings.create', waiting: ['workspace.events.booking-created'] }],
      unlocks: [
        { setting: 'WRITES=all', clauses: ['developer.auth.live-prefix'] },
        { setting: 'LIVE_API_KEY', clauses: ['developer.sandbox.isolation'] },
      ],
    });
  });

  test('has a row for each clause, with the fields in one order', () => {
    const rows = report.clauses as Record<string, unknown>[];
    expect(rows).toHaveLength(clauses.length);
    for (const row of rows) {
      expect(Object.keys(row).join()).toBe('id,level,title,source,verdict,findings,observed');
    }
    expect(jsonReport(samples.failing)).toMatch(/^{\n {2}"format": 1,\n/);
  });

  test('says why a failure is waived, and counts it', () => {
    const { clauses: rows, totals } = JSON.parse(jsonReport(samples.waived)) as {
      clauses: { id: string }[];
      totals: Record<string, number>;
    };
    expect(rows.find(({ id }) => id === 'developer.auth.deleted-key')).toMatchObject({
      verdict: 'inconclusive',
      waiver: { expires: '2026-12-31' },
    });
    expect(totals).toMatchObject({ inconclusive: 1, waived: 1 });
  });
});

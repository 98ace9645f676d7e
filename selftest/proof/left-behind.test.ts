import { describe, expect, test } from 'vitest';
import { faults } from '../../fixtures/reference/deployment.ts';
import { needsEnterprise } from './fault-row.ts';
import { sortsOf } from './left.ts';
import { runInProcess } from './run-in-process.ts';

/** Faults of the calls by which a run makes, finds again and deletes things. */
const concerned = faults.filter(({ reds }) =>
  reds.some((clause) => /\.(keys|agents|bookings|webhooks)\.(create|register|list|delete|remove|cancel)$/.test(clause)),
);

describe('what a run made and could not delete it says; everything else it deletes', () => {
  test.for(concerned.map((fault) => [fault.id, fault] as const))('%s', async ([, fault]) => {
    const { left } = await runInProcess({ api: fault.api, faults: [fault.id], enterprise: needsEnterprise(fault) });
    expect(sortsOf(left)).toMatchSnapshot();
  });
});

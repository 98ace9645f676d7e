import { test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { runInProcess } from '../../../selftest/proof/run-in-process.ts';
import { developerSuite } from '../../../suites/developer/suite.ts';
import { createEvidence } from '../../../suites/session/evidence.ts';
import type { Session } from '../../../suites/session/session.ts';

/** Clauses that are judged on every exchange, by the evidence of a run alone. */
const ids = clauses.filter(({ id, everyResponse }) => everyResponse && id.startsWith('developer.')).map(({ id }) => id);

test('judging exchanges', async ({ bench }) => {
  const { exchanges } = await runInProcess({ api: 'developer' });
  const evidence = createEvidence();
  for (const exchange of exchanges) {
    evidence.add(exchange);
  }
  const session = { evidence } as Partial<Session> as Session;
  await bench(`${exchanges.length} exchanges of a run, by ${ids.length} every-response clauses`, async () => {
    await Promise.all(ids.map((id) => developerSuite.checks[id]?.(session)));
  }).run({ time: 1000 });
});

import { test } from 'vitest';
import { judgeRecording } from '../../../cli/har/judge-recording.ts';
import { createRedactor } from '../../../common/redact.ts';
import { clauses } from '../../../contract/clauses.ts';
import { runInProcess } from '../../../selftest/proof/run-in-process.ts';

const ids = clauses.filter(({ id, everyResponse }) => everyResponse && id.startsWith('developer.'));

test('judging exchanges', async ({ bench }) => {
  const { exchanges } = await runInProcess({ api: 'developer' });
  const origins = { developer: 'http://reference.test' };
  await bench(`${exchanges.length} exchanges of a run, by ${ids.length} every-response clauses`, async () => {
    await judgeRecording(exchanges, origins, createRedactor());
  }).run({ time: 1000 });
});

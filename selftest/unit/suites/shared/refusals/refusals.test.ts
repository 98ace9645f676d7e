import { expect, test } from 'vitest';
import { endpointOf } from '../../../../../contract/endpoints.ts';
import { createTally } from '../../../../../results/outcome.ts';
import { judgeRefusal } from '../../../../../suites/shared/refusals/refusals.ts';
import { answerWith } from '../../../test-session.ts';

const endpoint = endpointOf('POST /v1/agents');

test.for<[string, probe: number, twin: number, comes: string]>([
  ['a refusal whose twin was accepted', 401, 200, 'holds'],
  ['a refusal whose twin got 400', 401, 400, 'open workspace.agents.create'],
  ['a wrong refusal of the key whose twin got 400', 403, 400, 'fails'],
  ['a probe refused with the status of its twin', 400, 400, 'open workspace.agents.create'],
  ['a probe that met a limit', 429, 200, 'open undefined'],
])('%s', async ([, probe, twin, comes]) => {
  const tally = createTally();
  const answers = { probe: await answerWith(probe), twin: await answerWith(twin) };
  judgeRefusal(tally, { ...answers, endpoint, status: 401, what: 'A call without a key' });
  const { failures, undecided, compared } = tally.outcome();
  const open = compared > 0 ? 'holds' : `open ${undecided[0]?.blames}`;
  expect(failures.length > 0 ? 'fails' : open).toBe(comes);
});

import { expect, test } from 'vitest';
import { endpointOf } from '../../../../../contract/endpoints.ts';
import { createTally, type Outcome } from '../../../../../results/outcome.ts';
import { judgeRefusal } from '../../../../../suites/shared/refusals/refusals.ts';
import { accepted, broken, type Came, fakeAnswer, refused } from '../../fake-answer.ts';

function judged(probe: Came, twin: Came, endpoint: string): Outcome {
  const tally = createTally();
  judgeRefusal(tally, {
    probe: fakeAnswer(probe, endpoint),
    twin: fakeAnswer(twin, endpoint),
    endpoint: endpointOf(endpoint),
    status: 401,
    what: 'A call without a key',
  });
  return tally.outcome();
}

const word = ({ failures, undecided, compared }: Outcome): string => {
  if (failures.length > 0) {
    return 'fails';
  }
  return compared > 0 ? 'holds' : `open ${undecided[0]?.blames ?? ''}`.trim();
};

const envelope: Came = { status: 200, json: { success: true, data: {} } };

// Both APIs share the judge, so each row is tried with an endpoint of each.
test.for<[string, Came, Came, string]>([
  ['a refusal whose twin was accepted', refused(401), accepted, 'holds'],
  ['another status whose twin was accepted', refused(403), accepted, 'fails'],
  ['a server error whose twin was accepted', refused(500), accepted, 'fails'],
  ['a probe that is accepted', accepted, accepted, 'fails'],
  ['a probe that is accepted, though its twin was not', accepted, refused(500), 'fails'],
  ['a refusal whose twin was refused too', refused(401), refused(401), 'open workspace.agents.create'],
  ['a refusal whose twin got 400', refused(401), refused(400), 'open workspace.agents.create'],
  ['a wrong refusal of the key whose twin got 400', refused(403), refused(400), 'fails'],
  ['a probe refused with the status of its twin', refused(400), refused(400), 'open workspace.agents.create'],
  ['a refusal whose twin got no response', refused(401), broken, 'open workspace.agents.create'],
  ['a probe that got no response', broken, accepted, 'open'],
  ['a probe that met a limit', refused(429), accepted, 'open'],
])('%s', ([, probe, twin, expected]) => {
  const ofDeveloper = (came: Came): Came => (came === accepted ? envelope : came);
  expect(word(judged(probe, twin, 'POST /v1/agents'))).toBe(expected);
  expect(word(judged(ofDeveloper(probe), ofDeveloper(twin), 'POST /api/v1/ads/audits'))).toBe(
    expected.replace('workspace.agents.create', 'developer.ads.audits-create'),
  );
});

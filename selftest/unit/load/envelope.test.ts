// k6 cannot load the suites, so its scripts have their own checks of the envelope. These are compared with the suites'
// checks here.

import { expect, test } from 'vitest';
import { createRedactor } from '../../../common/redact.ts';
import type { ApiName } from '../../../contract/clause.ts';
import { breachesOf, envelopeClauses } from '../../../load/judge/envelope.ts';
import { judgeRecording } from '../../../suites/recorded/judge-recording.ts';
import { fakeAnswer } from '../suites/fake-answer.ts';

const origin = 'http://api.test';
const reads = { developer: 'GET /api/v1/platform/me', workspace: 'GET /v1/agents' } as const satisfies Record<
  ApiName,
  string
>;
const good = {
  success: true,
  data: {},
  context: null,
  error: null,
  meta: { trace_id: '6f1c2f6e-7d0c-4b6e-9d5e-3f6a2b1c0d9e', timestamp: '2026-01-31T08:00:00.000Z' },
};
const meta = (changes: object): object => ({ ...good, meta: { ...good.meta, ...changes } });

/** Bodies of a success, each wrong in another way. */
const bodies: readonly unknown[] = [
  good,
  ...Object.keys(good).map((field) => ({ ...good, [field]: undefined })),
  { ...good, success: false },
  { ...good, success: 'true' },
  { ...good, data: [] },
  { ...good, data: null },
  { ...good, context: {} },
  { ...good, context: 'sandbox' },
  { ...good, error: {} },
  { ...good, meta: [] },
  meta({ trace_id: 'abc' }),
  meta({ trace_id: '6F1C2F6E-7D0C-4B6E-9D5E-3F6A2B1C0D9E' }),
  meta({ timestamp: '2026-01-31T08:00:00Z' }),
  meta({ timestamp: '2026-01-31T08:00:00.000+00:00' }),
  meta({ timestamp: '2026-01-31T08:00:00.000+02:00' }),
  meta({ timestamp: '2026-02-30T08:00:00.000Z' }),
  meta({ timestamp: 1_769_846_400 }),
  [],
  'text',
  null,
];
const types = ['application/json', 'application/problem+json; charset=utf-8', 'application/json-seq', 'text/html', ''];
const texts = [...bodies.map((body) => JSON.stringify(body)), '', '{', '<html>'];

const cases = [
  ...texts.map((body) => ({ status: 200, contentType: 'application/json', body })),
  ...types.map((contentType) => ({ status: 200, contentType, body: JSON.stringify(good) })),
  ...[201, 202, 204, 301, 304, 500, 503].map((status) => ({ status, contentType: 'application/json', body: '' })),
  ...[201, 202].map((status) => ({ status, contentType: 'application/json', body: JSON.stringify(good) })),
];

/** The suites' verdicts about a run with only this response. */
async function failedBySuite(api: ApiName, { status, contentType, body }: (typeof cases)[number]): Promise<string[]> {
  const { exchange } = fakeAnswer({ status }, reads[api]);
  const response = { status, headers: [['Content-Type', contentType]] as const, text: body, json: parsed(body) };
  const recording = { exchanges: [{ ...exchange, response }], origins: { [api]: origin }, hasHeaders: true };
  const results = await judgeRecording(recording, createRedactor());
  return results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

test.for((['developer', 'workspace'] as const).flatMap((api) => cases.map((one) => [api, one] as const)))(
  '%s: %j',
  async ([api, response]) => {
    const failed = (await failedBySuite(api, response)).filter((id) => envelopeClauses[api].includes(id));
    const broken = breachesOf(api, response);
    // For a failure, a soak reports only the clause about server errors.
    expect(broken.toSorted()).toEqual(response.status < 500 ? failed.toSorted() : [`${api}.errors.no-server-error`]);
    expect(failed).toEqual(expect.arrayContaining(broken));
  },
);

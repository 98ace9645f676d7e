import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../../common/transport-failure.ts';
import { rootCausesOf } from '../../results/root-causes.ts';
import type { WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';
import { answering, callOf, changing, hasKey, jsonOf, saying, succeeds } from '../world/between.ts';
import { creating, run } from './run.ts';

describe('bodies that the transport could not read', () => {
  const unread = (kind: FailureKind, answer: WireResponse): WireResponse => ({
    ...answer,
    body: Buffer.alloc(0),
    unread: { kind, message: 'Body is not read' },
  });
  test('data for calls without a key fails, in whatever coding', async () => {
    const between = changing(
      (request) => !hasKey(request),
      (answer) => unread('encoding', { ...answer, status: 200 }),
    );
    const { red } = await run(creating('workspace'), { between });
    expect(red).toEqual(expect.arrayContaining(['responses.json', 'auth.missing-key']));
  });

  test.each([
    ['too-large', 'pass', 'inconclusive'],
    ['encoding', 'fail', 'pass'],
  ] as const)('developer: errors with them (%s) are no errors with the right fields', async (kind, json, data) => {
    const between = answering(() => {
      let errors = 0;
      return (answer) => {
        errors += Number(answer.status >= 400);
        // One error can be read.
        return answer.status >= 400 && errors > 1 ? unread(kind, answer) : answer;
      };
    });
    const names = ['envelope.json', 'envelope.data-on-error', 'auth.missing-key'];
    const clauses = names.map((name) => `developer.${name}`);
    const { resultOf } = await run(clauses, { between });
    expect(names.map((name) => resultOf(name)?.verdict)).toEqual([json, data, 'pass']);
  });

  test.each<[string, Parameters<typeof changing>[0], string]>([
    ['creates', succeeds(/^POST /), 'agents.create'],
    ['reads by id', succeeds(/^GET .*\/(agents|leads)\/./), 'agents.get'],
    ['changes', succeeds(/^PATCH /), 'agents.update'],
    ['refusals', (_, { status }) => status >= 400, 'errors.unknown-path'],
  ])('workspace: %s with them fail nothing, and prove nothing', async (_, isLost, name) => {
    const between = changing(isLost, (answer) => unread('too-large', answer));
    const { red, resultOf, left } = await run(creating('workspace'), { between });
    expect([red, resultOf(name)?.verdict]).toEqual([[], 'inconclusive']);
    // Agents are proven by a read alone: unread, they are named, and left.
    expect(left.every((one) => one.startsWith('/v1/agents '))).toBe(true);
    expect(left.length > 0).toBe(name === 'agents.get');
  });
});

test("Python's json.dumps: where NaN keeps a body from being JSON is told", async () => {
  const between = changing(succeeds('GET /api/v1/ads/campaigns'), (answer) =>
    saying(answer, String(answer.body).replace(/"roas":[\d.]+/, '"roas":NaN')),
  );
  const { results } = await run(['developer.envelope.json', 'developer.ads.campaigns'], { between });
  expect(results.map(({ findings }) => findings[0])).toMatchObject([
    { actual: expect.stringContaining(String.raw`\"roas\":NaN`) },
    { message: expect.stringContaining('its body is not JSON') },
  ]);
});

test("gin's handlers go on where a return is missing: two documents in an answer are no gateway's", async () => {
  const between = changing(
    (_, { status }) => status === 401,
    (answer) => saying(answer, `${String(answer.body)}{"data":[]}`),
  );
  const { red, resultOf } = await run('workspace', { between });
  expect(red).toEqual(['responses.json']);
  const [{ actual, cause } = {}] = resultOf('responses.json')?.findings ?? [];
  expect([actual, cause]).toEqual([expect.stringMatching(/after JSON at position/), undefined]);
});

test('GitHub: 404 for what a key may not use is told as such, and the endpoints as there', async () => {
  const between = changing(
    (_, { status }) => status === 403,
    (answer) => saying(answer, { ...jsonOf(answer), error: { code: 'NOT_FOUND', message: 'Not found' } }, 404),
  );
  const [cause] = rootCausesOf((await run('developer.scopes', { between })).results, 'fail');
  expect(cause?.sentence).toMatch(/^21 documented endpoints answer 404 where 403 is expected: /);
  expect(cause?.finding.cause).toMatch(/^The deployment hides/);
});

test('zod: z.number() for a query refuses every min_spend, which decides nothing', async () => {
  const error = { code: 'VALIDATION_FAILED', message: 'Expected number, received string' };
  const between = changing(
    ({ url }) => url.includes('min_spend='),
    (answer) => saying({ ...answer, status: 400 }, { ...jsonOf(answer), success: false, data: null, error }),
  );
  expect(await run('developer.ads.keywords', { between })).toMatchObject({ red: [], open: ['ads.keywords'] });
});

test('400 for a number that no lead has is no 404, whatever a read of another kind gets', async () => {
  const isUnknown = (request: WireRequest, { status }: WireResponse): boolean =>
    status === 404 && /GET \/v1\/leads\/\d+$/.test(callOf(request));
  const error = { error: { code: 'invalid_id', message: 'Invalid id', status: 400 } };
  const between = changing(isUnknown, (answer) => saying(answer, error, 400));
  const { red } = await run(creating('workspace'), { choices: { 'workspace-ids': 'numeric' }, between });
  expect(red).toEqual(['errors.not-found']);
});

/** Bookings without some of their fields. */
const bookingsWithout = (names: RegExp) =>
  changing(
    ({ url }, { status }) => url.includes('/v1/bookings') && status < 300,
    (answer) =>
      saying(
        answer,
        JSON.stringify(jsonOf(answer), (name, value) => (names.test(name) ? undefined : value)),
      ),
  );

test('a cancellation whose booking is listed without a state is undecided: it may have done nothing', async () => {
  const between = bookingsWithout(/^(status|cancelled_at)$/);
  expect(await run('workspace.bookings.cancel', { between })).toMatchObject({ red: [], open: ['bookings.cancel'] });
});

test.each([{}, { 'workspace-ids': 'numeric' }])(
  'a cancellation that takes another booking of the run is told, though no booking shows its words: %o',
  async (choices) => {
    const between = bookingsWithout(/^(title|name|email|notes)$/);
    const faults = ['workspace-bookings-cancel-takes-all'];
    const { red } = await run('workspace.bookings.cancel', { choices, faults, between });
    expect(red).toEqual(['bookings.cancel']);
  },
);

/** Somebody deletes a record just when a broken body is sent for its change. */
const deletedMeanwhile = answering(() => {
  const gone = new Set<string>();
  return (answer, request) => {
    const path = callOf(request).replace(/^\w+ /, '');
    if (request.method === 'PATCH' && Object.keys(jsonOf(request)).length === 0) {
      gone.add(path);
    }
    return gone.has(path) ? saying(answer, { error: { code: 'not_found', message: 'No', status: 404 } }, 404) : answer;
  };
});

test('that somebody else deletes a record meanwhile does not show what a broken body gets', async () => {
  const clauses = ['workspace.errors.bad-request', 'workspace.errors.not-an-object'];
  const { red, results } = await run(clauses, { between: deletedMeanwhile });
  expect(red).toEqual([]);
  const open = expect.arrayContaining([expect.stringMatching(/is gone since it was changed/)]);
  expect(results.map(({ observed }) => observed)).toMatchObject(clauses.map(() => ({ undecided: open })));
});

test('a deleted key that gets what any key of its prefix gets is undecided, although others are refused', async () => {
  const ran = await run('developer.auth.deleted-key', { faults: ['auth-invalid-key-sandbox-accepted'] });
  expect(ran).toMatchObject({ red: [], open: ['auth.deleted-key'] });
});

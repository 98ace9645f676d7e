import { expect, test } from 'vitest';
import { at, isObject } from '../../common/json.ts';
import type { FailureKind } from '../../common/transport-failure.ts';
import type { WireRequest, WireResponse } from '../../suites/session/transport/transport.ts';
import { kindsLeft } from '../proof/fault-row.ts';
import { answering, type Between, changing, jsonOf, saying, succeeds } from '../world/between.ts';
import { unnamedWords } from '../world/traces.ts';
import { world } from '../world/world.ts';

const settings = { EXHAUST: 'none' };
const failed = (results: Awaited<ReturnType<typeof world>>['results']): string[] =>
  results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

const hasKey = ({ url, headers }: WireRequest): boolean =>
  /[?&]api_key=/.test(url) || headers.some(([name]) => /^(x-api-key|authorization)$/i.test(name));

/** An answer as the transport gives it where it cannot read the body. */
const unread = (kind: FailureKind, answer: WireResponse): WireResponse => ({
  ...answer,
  body: Buffer.alloc(0),
  unread: { kind, message: 'Body is not read' },
});

test.each(['developer', 'workspace'] as const)(
  '%s: data for calls without a key fails, in whatever coding',
  async (api) => {
    const between = changing(
      (request) => !hasKey(request),
      (answer) => unread('encoding', { ...answer, status: 200 }),
    );
    const { results } = await world({ api, between: [between], settings });
    const json = api === 'developer' ? 'developer.envelope.json' : 'workspace.responses.json';
    expect(failed(results)).toEqual(expect.arrayContaining([json, `${api}.auth.missing-key`]));
  },
);

test.each([
  ['too-large', 'inconclusive', 'inconclusive'],
  ['too-deep', 'inconclusive', 'inconclusive'],
  ['encoding', 'fail', 'pass'],
] as const)(
  'developer: errors whose bodies are not read (%s) are no errors with the right fields',
  async (kind, json, data) => {
    const between = answering(() => {
      let errors = 0;
      return (answer) => {
        errors += Number(answer.status >= 400);
        // One error can be read.
        return answer.status >= 400 && errors > 1 ? unread(kind, answer) : answer;
      };
    });
    const { results } = await world({ api: 'developer', between: [between], settings });
    const verdicts = new Map(results.map(({ id, verdict }) => [id as string, verdict]));
    expect([
      verdicts.get('developer.envelope.json'),
      verdicts.get('developer.envelope.data-on-error'),
      verdicts.get('developer.auth.missing-key'),
    ]).toEqual([json, data, 'pass']);
  },
);

test.each([
  ['creates', succeeds(/^POST /), 'agents.create'],
  ['reads by id', succeeds(/^GET .*\/(agents|leads)\/./), 'agents.get'],
  ['changes', succeeds(/^PATCH /), 'agents.update'],
  [
    'lists without records',
    (_: WireRequest, { status, body }: WireResponse) => status < 300 && body.includes('"data":[]'),
    'auth.scoped',
  ],
  ['refusals', (_: WireRequest, { status }: WireResponse) => status >= 400, 'errors.unknown-path'],
] as const)('workspace: %s whose bodies are not read fail nothing, and prove nothing', async (_, isLost, clause) => {
  const between = changing(isLost, (answer) => unread('too-large', answer));
  const { results, left, harm } = await world({ api: 'workspace', between: [between], settings });
  expect(failed(results)).toEqual([]);
  expect(results.find(({ id }) => id === `workspace.${clause}`)?.verdict).toBe('inconclusive');
  expect(harm).toEqual([]);
  // Agents are proven by a read alone: unread, they are named, and left.
  expect(left.every((one) => one.startsWith('/v1/agents '))).toBe(true);
  expect(left.length > 0).toBe(clause === 'agents.get');
});

const methods = ['toString', 'valueOf', 'toJSON', 'constructor', '__proto__', 'hasOwnProperty', 'then', 'length', 'at'];
const others = methods.map((_, index) => `extra${'abcdefghi'[index]}`);
const object = (names: readonly string[]): string => `{${names.map((name) => `"${name}":7`).join()}}`;

/** Puts an object with fields of these names into every object of an answer, and instead of values that no check needs. */
const holding = (names: readonly string[], text: string): string =>
  text
    .replace(/\{(?=")/g, () => `{"extra":${object(names)},"extras":[${object(names)}],`)
    .replace(
      /"(impressions|company|summary|phone|notes|capabilities)":("[^"]*"|\d+)/g,
      (_, name: string) => `"${name}":${object(names)}`,
    );

/** Puts fields of these names into every object of an answer. */
const withFields = (names: readonly string[], text: string): string =>
  text.replace(/\{(?=")/g, () => `${object(names).slice(0, -1)},`);

test.for(
  (['developer', 'workspace'] as const).flatMap((api) => [
    [api, 'objects that hold', holding] as const,
    [api, 'records that have', withFields] as const,
  ]),
)('%s: %s fields named like methods change no verdict', async ([api, , write]) => {
  const verdicts = async (names: readonly string[]): Promise<unknown> => {
    const between = answering(() => (answer) => saying(answer, write(names, String(answer.body))));
    const { results, left } = await world({ api, between: [between] });
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
    return { left, verdicts: results.map(({ id, verdict }) => [id, verdict]) };
  };
  expect(await verdicts(methods)).toEqual(await verdicts(others));
});

test('a list that is gone where it is filtered leaves the filter undecided, blocked by the list', async () => {
  const isFiltered = ({ url }: WireRequest): boolean => /ads\/campaigns\?.*status=/.test(url);
  const between = changing(
    (request, answer) => isFiltered(request) && answer.status === 200,
    (answer) => saying(answer, { ...(jsonOf(answer) as object), data: { total: 0 } }),
  );
  const clauses = ['developer.ads.campaigns-status'];
  const { results } = await world({ api: 'developer', between: [between], clauses });
  expect(results.map(({ verdict, findings }) => [verdict, findings[0]?.blames])).toEqual([
    ['inconclusive', 'developer.ads.campaigns'],
  ]);
});

const lists = succeeds(/^GET .*\/(agents|leads|bookings|webhooks)$/);

/** Lists the ids of records instead of the records. */
const listingIds: Between = changing(lists, (answer) => {
  const idOf = (record: unknown): unknown => (isObject(record) ? (record.id ?? null) : record);
  const write = (_: string, value: unknown): unknown => (Array.isArray(value) ? value.map(idOf) : value);
  return saying(answer, JSON.stringify(jsonOf(answer), write));
});

test.for(['uuid', 'numeric', 'short'])('a list may be one of ids: %s', async (ids) => {
  const plan = { api: 'workspace', choices: { 'workspace-ids': ids }, between: [listingIds] } as const;
  const { results, left, harm } = await world(plan);
  const open = results.filter(({ verdict }) => !['pass', 'observed', 'skip'].includes(verdict));
  // Webhooks and bookings have no read by id: that a listed id is the run's, nothing shows.
  expect({ harm, open: open.map(({ id, verdict }) => `${id} ${verdict}`) }).toEqual({
    harm: [],
    open: [
      'workspace.bookings.cancel inconclusive',
      'workspace.webhooks.remove inconclusive',
      'workspace.webhooks.silent-after-remove inconclusive',
      'workspace.events.booking-cancelled inconclusive',
    ],
  });
  expect(left.filter((one) => one.endsWith(unnamedWords))).toEqual([]);
  expect(kindsLeft(left).filter((kind) => /^.v1.(agents|leads)/.test(kind))).toEqual([]);
});

test.for(['agents', 'leads', 'bookings', 'webhooks'])(
  'a list of ids that lacks the new one fails: %s',
  async (name) => {
    const withoutNewest = changing(succeeds(`GET /v1/${name}`), (answer) => {
      const json = jsonOf(answer);
      return Array.isArray(at(json, '/data')) ? saying(answer, { data: [101, 102], links: { next: null } }) : answer;
    });
    const { results } = await world({
      api: 'workspace',
      choices: { 'workspace-ids': 'numeric', 'workspace-list-shape': 'laravel' },
      between: [listingIds, withoutNewest],
      clauses: [`workspace.${name}.list`],
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['fail']);
  },
);

import { expect, test } from 'vitest';
import { at, isObject } from '../../common/json.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';
import { world } from '../world/world.ts';

/** Lists the ids of records instead of the records. */
const listingIds =
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    const isList = request.method === 'GET' && /\/(agents|leads|bookings|webhooks)(\?|$)/.test(request.url);
    const idOf = (record: unknown): unknown => (isObject(record) ? (record.id ?? null) : record);
    const text = JSON.stringify(JSON.parse(String(answer.body)), (_, value: unknown) =>
      Array.isArray(value) ? value.map(idOf) : value,
    );
    return isList && answer.status === 200 ? { ...answer, body: Buffer.from(text) } : answer;
  };

test.for(['uuid', 'numeric', 'short'])('a list may be one of ids: %s', async (ids) => {
  const { results, left, harm } = await world({
    api: 'workspace',
    choices: { 'workspace-ids': ids },
    between: [listingIds],
  });
  const others = results.filter(({ verdict }) => !['pass', 'observed', 'skip'].includes(verdict));
  expect({ left, harm, others: others.map(({ id, verdict }) => `${id} ${verdict}`) }).toEqual({
    left: [],
    harm: [],
    others: ['workspace.leads.filters inconclusive'],
  });
});

test.for(['agents', 'leads', 'bookings', 'webhooks'])(
  'a list of ids that lacks the new one fails: %s',
  async (name) => {
    const withoutNewest = (transport: Transport): Transport => {
      const list = listingIds(transport);
      return async (request, bounds) => {
        const answer = await list(request, bounds);
        const json: unknown = JSON.parse(String(answer.body));
        const isList = request.method === 'GET' && answer.status === 200 && Array.isArray(at(json, '/data'));
        return isList && request.url.includes(`/${name}`)
          ? { ...answer, body: Buffer.from(JSON.stringify({ ...(json as object), data: [101, 102] })) }
          : answer;
      };
    };
    const id = `workspace.${name}.list`;
    const { results } = await world({
      api: 'workspace',
      choices: { 'workspace-ids': 'numeric', 'workspace-list-shape': 'laravel' },
      between: [withoutNewest],
      clauses: [id],
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['fail']);
  },
);

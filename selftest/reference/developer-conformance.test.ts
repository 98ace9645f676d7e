import { describe, expect, test } from 'vitest';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { scopesOf } from '../../contract/scopes.ts';
import { createDeveloperApi } from '../../fixtures/reference/developer/app.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { irregularities } from './developer-rules.ts';
import { bodies, playCalls, playMinutes } from './developer-script.ts';
import { createWire, type Wire } from './developer-wire.ts';

const api = '/api/v1';

test('every answer of the plain reference is regular, and every documented status but 500 occurs', async () => {
  const [calls, minutes] = [await playCalls(), await playMinutes()];
  for (const { exchanges } of [calls, minutes]) expect(irregularities(exchanges)).toEqual([]);
  const exchanges = [...calls.exchanges, ...minutes.exchanges];
  expect([...new Set(exchanges.map(({ status }) => status))].sort()).toEqual([200, 201, 400, 401, 403, 404, 429]);
});

test('one seed gives one deployment, another seed another', async () => {
  const [once, again] = [await playCalls(), await playCalls()];
  expect(again.exchanges.map(({ text }) => text)).toEqual(once.exchanges.map(({ text }) => text));
  const settings = [1, 2].map((seed) => createDeveloperApi({ clock: createVirtualClock(), seed }).settings.SANDBOX_API_KEY);
  expect(settings[0]).not.toBe(settings[1]);
  for (const key of settings) expect(key).toMatch(/^svc_test_[0-9A-Za-z]{32}$/);
});

const idsIn = (text: string): string[] => [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? '');

const keyWith = async (wire: Wire, scopes: readonly string[]): Promise<string> => {
  const { json } = await wire.call('POST', `${api}/developer/keys`, {
    key: wire.settings['SANDBOX_API_KEY'] ?? '', body: { name: 'one module', environment: 'sandbox', scopes },
  });
  return String((json['data'] as Record<string, unknown>)['key']);
};

describe('scopes', () => {
  test.each(developerEndpoints.filter(({ scope }) => scope !== null))('$id takes its own module\'s scopes and no other\'s', async (endpoint) => {
    const wire = createWire();
    const body = bodies[endpoint.id];
    const others = developerEndpoints.flatMap(({ scope }) => (scope === null || scope === endpoint.scope ? [] : scopesOf(scope)));
    const own = await keyWith(wire, scopesOf(endpoint.scope ?? 'ads'));
    const foreign = await keyWith(wire, [...new Set(others)]);
    expect((await wire.call(endpoint.method, endpoint.path, { key: own, body })).status).toBeLessThan(300);
    expect((await wire.call(endpoint.method, endpoint.path, { key: foreign, body })).status).toBe(403);
  });
});

test('the sandbox is empty until it is seeded, and never shows a record of the live account', async () => {
  const wire = createWire();
  const { SANDBOX_API_KEY: sandbox = '', LIVE_API_KEY: live = '' } = wire.settings;
  const ids = async (key: string): Promise<string[]> => {
    const all: string[] = [];
    for (const path of ['ads/campaigns', 'investor/pipeline', 'developer/export/bookings', 'developer/export/leads', 'content/posts']) {
      const { text } = await wire.call('GET', `${api}/${path}`, { key });
      all.push(...idsIn(text));
    }
    return all;
  };
  expect(await ids(sandbox)).toEqual([]);
  await wire.call('POST', `${api}/developer/sandbox/seed`, { key: sandbox });
  const [seeded, owned] = [await ids(sandbox), await ids(live)];
  expect(seeded.length).toBeGreaterThan(30);
  expect(owned.length).toBeGreaterThan(30);
  expect(seeded.filter((id) => owned.includes(id))).toEqual([]);
});

test('filters give each record to one value, and all of them together', async () => {
  const wire = createWire();
  const key = wire.settings['LIVE_API_KEY'] ?? '';
  const idsOf = async (path: string): Promise<string[]> =>
    idsIn((await wire.call('GET', path, { key })).text).sort();
  for (const { path, query } of developerEndpoints) {
    for (const { name, values } of query.filter((parameter) => parameter.values !== undefined)) {
      const parts = await Promise.all((values ?? []).map((value) => idsOf(`${path}?${name}=${value}`)));
      expect(parts.every((part) => part.length > 0), `${path} ${name}`).toBe(true);
      expect(parts.flat().sort(), `${path} ${name}`).toEqual(await idsOf(path));
    }
  }
});

test('a snapshot shows what was created and not deleted', async () => {
  const developer = createDeveloperApi({ clock: createVirtualClock() });
  const before = developer.snapshot();
  const send = (method: string, path: string, body?: unknown): Promise<Response> => developer.fetch(new Request(`http://developer.test${api}${path}`, {
    method, headers: { 'X-API-Key': developer.settings.SANDBOX_API_KEY }, ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }));
  const created = await (await send('POST', '/developer/keys', bodies['POST /api/v1/developer/keys'])).json() as { data: { id: string } };
  expect(developer.snapshot().keys.map(({ name }) => name)).toContain('script');
  await send('DELETE', `/developer/keys/${created.data.id}`);
  expect(developer.snapshot()).toEqual(before);
});

test('what no client of sound mind sends is answered in the envelope, too', async () => {
  const wire = createWire();
  const key = wire.settings['SANDBOX_API_KEY'] ?? '';
  const paths = ['/', '//', '/api', `${api}/%E0%A4%A`, `${api}/ads/campaigns/`, `${api}/ads/campaigns?status=%00`, `${api}/developer/keys/%2e%2e/usage`,
    `${api}/developer/keys/__proto__/usage`, `${api}/developer/keys/${'x'.repeat(5_000)}/usage`, `${api}/ads/keywords?limit=1e3`, `${api}/ads/keywords?limit=-1`,
    `${api}/developer/export/bookings?from=2026-13-45`, `${api}/developer/export/bookings?from=2026-01-01T00:00:00+00:00`];
  for (const path of paths) await wire.call('GET', path, { key });
  const odd = ['null', '1', '[{}]', '{"name":null}', '{"name":{},"environment":[],"scopes":{}}', '{"__proto__":{"name":"x"}}', '\u0000', `{"name":"${'n'.repeat(100_000)}"}`];
  for (const body of odd) for (const path of ['/developer/keys', '/inbox/draft', '/content/generate']) await wire.call('POST', `${api}${path}`, { key, body });
  expect(irregularities(wire.exchanges)).toEqual([]);
});

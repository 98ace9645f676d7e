import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { modules, scopes, scopesWithout } from '../../contract/scopes.ts';
import { createWire, type Variation, type Wire } from './developer-wire.ts';

const api = '/api/v1';
const keys = `${api}/developer/keys`;

/** A body that every POST takes. */
export const bodies: Readonly<Record<string, unknown>> = {
  'POST /api/v1/ads/audits': { title: 'Brand audit', campaign_id: null },
  'POST /api/v1/investor/updates': { title: 'March', body: 'Grew by a tenth.' },
  'POST /api/v1/inbox/draft': { thread_context: 'Is Zoë free on Friday?', skill: 'Small talk', tone: 'warm' },
  'POST /api/v1/inbox/categorize': { text: 'What does it cost?' },
  'POST /api/v1/inbox/skills/learn': { name: 'Prices', examples: ['It costs 5.'] },
  'POST /api/v1/content/generate': { topic: 'Bookings', product: 'scheduling', tone: 'plain', word_count: 400 },
  'POST /api/v1/content/review': { text: 'Read me.' },
  'POST /api/v1/developer/keys': { name: 'script', environment: 'sandbox', scopes: ['ads:read'] },
};

const bodyOf = ({ id, method }: Endpoint): unknown => bodies[id] ?? (method === 'POST' ? {} : undefined);
const pathOf = (endpoint: Endpoint, id: string): string => endpoint.path.replace(':id', id);

/** Each documented call once; not deletion and rotation, which would cut the branch it sits on. */
async function everyCall(wire: Wire, key: string | null, id: string, headers: Record<string, string> = {}): Promise<void> {
  for (const endpoint of developerEndpoints) {
    if (endpoint.method === 'DELETE' || endpoint.id.endsWith('/rotate')) continue;
    await wire.call(endpoint.method, pathOf(endpoint, id), { key, headers, body: bodyOf(endpoint) });
  }
}

async function strangers(wire: Wire, key: string, id: string): Promise<void> {
  await everyCall(wire, null, id);
  const altered = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
  for (const unknown of [`svc_test_${'Q7'.repeat(16)}`, `svc_live_${'Q7'.repeat(16)}`, altered, 'nobody', '']) {
    for (const query of ['', `?api_key=${unknown}`]) {
      const sent = { key: query === '' ? unknown : null };
      await wire.call('GET', `${api}/ads/campaigns${query}`, sent);
      await wire.call('POST', `${api}/content/review${query}`, { ...sent, body: {} });
      await wire.call('POST', `${keys}/${id}/rotate${query}`, { ...sent, body: {} });
    }
  }
}

async function filters(wire: Wire, key: string): Promise<void> {
  const lists = developerEndpoints.filter(({ query }) => query.some(({ values }) => values !== undefined));
  for (const { path, query } of lists) {
    for (const { name, values = [] } of query) {
      for (const value of [...values, 'unheard-of']) if (values.length > 0) await wire.call('GET', `${path}?${name}=${value}`, { key });
    }
  }
  const { json } = await wire.call('GET', `${api}/developer/export/bookings`, { key });
  const first = JSON.stringify(json).match(/"starts_at":"([^"]+)"/)?.[1] ?? '2026-01-01T00:00:00Z';
  for (const window of ['from=2001-01-01T00:00:00Z&to=2002-01-01T00:00:00Z', 'from=2001-01-01T00:00:00Z', 'to=2002-01-01', 'from=noon', `to=${first}`]) {
    await wire.call('GET', `${api}/developer/export/bookings?${window}`, { key });
  }
  const campaign = JSON.stringify((await wire.call('GET', `${api}/ads/campaigns`, { key })).json).match(/"id":"?([^",]+)/)?.[1] ?? 'none';
  for (const query of ['limit=1', 'limit=3', 'limit=x', 'min_spend=10.5', `campaign_id=${campaign}`]) await wire.call('GET', `${api}/ads/keywords?${query}`, { key });
}

async function bodyRules(wire: Wire, key: string): Promise<void> {
  const thread = 'Is Zoë free?';
  for (const body of [{ thread_context: thread }, { thread_context: [{ text: thread }] }, { thread_context: { text: thread } }, { thread_context: thread, tone: 'warm' }, {}]) {
    await wire.call('POST', `${api}/inbox/draft`, { key, body });
  }
  const whole = { topic: 'a', product: 'b', tone: 'c' };
  for (const [name] of Object.entries(whole)) await wire.call('POST', `${api}/content/generate`, { key, body: { ...whole, [name]: undefined } });
  await wire.call('POST', `${api}/content/generate`, { key, body: whole });
  for (const body of ['{"open": ', '[]', '"text"', 'x'.repeat(20_000), `{"text":"${'y'.repeat(1_100_000)}"}`, '']) {
    await wire.call('POST', `${api}/ads/audits`, { key, body });
  }
  await wire.call('POST', `${api}/ads/audits`, { key, body: '{}', headers: { 'Content-Type': 'text/plain' } });
  for (const [method, path] of [['PUT', '/ads/audits'], ['DELETE', '/ads/audits'], ['GET', '/ads/nothing'], ['GET', '/'], ['GET', '/inbox/draft'], ['POST', '/nothing'], ['OPTIONS', '/ads/audits']] as const) {
    await wire.call(method, `${api}${path}`, { key });
    await wire.call(method, `${api}${path}`, { key: null });
  }
}

const keyProblems: readonly unknown[] = [
  { environment: 'sandbox', scopes: [] }, { name: 'a', scopes: [] }, { name: 'b', environment: 'sandbox' },
  { name: 'c', environment: 'staging', scopes: ['ads:read'] }, { name: 'd', environment: 'sandbox', scopes: 'ads:read' },
  { name: 'e', environment: 'sandbox', scopes: [7] }, { name: 'f', environment: 'sandbox', scopes: ['ads:delete'] },
  { name: 'g', environment: 'sandbox', scopes: ['ads'] }, { name: 'h', environment: 'sandbox', scopes: [] },
  { name: 'i'.repeat(60), environment: 'sandbox', scopes: ['ads:read'] }, { name: 'script', environment: 'sandbox', scopes: ['ads:read'] },
];

/** A key's id and secret, wherever the answer shows them. */
async function createKey(wire: Wire, key: string, environment: string, held: readonly string[], name: string): Promise<{ id: string; secret: string }> {
  const { text } = await wire.call('POST', keys, { key, body: { name, environment, scopes: held } });
  const secret = text.match(/"(svc[_-][a-z]+[_-][0-9A-Za-z]{32})"/)?.[1] ?? 'none';
  return { id: text.match(/"(?:id|uid|key_id|keyId|uuid)":"?([^",}]+)/)?.[1] ?? 'none', secret };
}

async function manageKeys(wire: Wire, key: string, live: string): Promise<void> {
  for (const body of keyProblems) await wire.call('POST', keys, { key, body });
  for (const [manager, environment] of [[key, 'sandbox'], [key, 'live'], [live, 'live'], [live, 'sandbox']] as const) {
    const made = await createKey(wire, manager, environment, scopes, `script ${manager === live ? 'l' : 's'} ${environment}`);
    for (const ms of [0, 600, 500]) {
      await wire.wait(ms);
      await wire.call('GET', `${api}/ads/health-score`, { key: made.secret });
    }
    await wire.call('GET', keys, { key: manager });
    await wire.call('GET', `${keys}?page=2`, { key: manager });
    for (const days of ['', '?days=1', '?days=7', '?days=90', '?days=91', '?days=x']) await wire.call('GET', `${keys}/${made.id}/usage${days}`, { key: manager });
    const { text } = await wire.call('POST', `${keys}/${made.id}/rotate`, { key: manager, body: {} });
    const rotated = text.match(/"(svc[_-][a-z]+[_-][0-9A-Za-z]{32})"/)?.[1] ?? 'none';
    for (const ms of [0, 600, 500, 30_000, 40_000]) {
      await wire.wait(ms);
      for (const secret of [made.secret, rotated]) await wire.call('GET', `${api}/platform/me`, { key: secret });
    }
    await wire.call('DELETE', `${keys}/${made.id}`, { key: manager });
    for (const ms of [0, 600, 500, 5_000]) {
      await wire.wait(ms);
      for (const secret of [made.secret, rotated]) await wire.call('GET', `${api}/platform/me`, { key: secret });
    }
    await wire.call('GET', keys, { key: manager });
    for (const [method, path] of [['DELETE', ''], ['POST', '/rotate'], ['GET', '/usage']] as const) {
      await wire.call(method, `${keys}/${made.id}${path}`, { key: manager, ...(method === 'POST' ? { body: {} } : {}) });
    }
  }
}

async function scopeRules(wire: Wire, key: string): Promise<void> {
  const kinds = [...modules.map(({ prefix }) => scopesWithout(prefix)), scopes.filter((name) => name.endsWith(':read')), scopes.filter((name) => name.endsWith(':write')), []];
  for (const [index, held] of kinds.entries()) {
    const { id, secret } = await createKey(wire, key, 'sandbox', held, `scopes ${index}`);
    await wire.wait(1_000);
    await everyCall(wire, secret, id);
    for (const body of ['{"open": ', '{}']) await wire.call('POST', `${api}/content/generate`, { key: secret, body });
  }
}

async function modes(wire: Wire, key: string, live: string): Promise<void> {
  const me = `${api}/platform/me`;
  await wire.call('GET', `${me}?api_key=${key}`, { key: null });
  await wire.call('GET', `${me}?apiKey=${key}`, { key: null });
  await wire.call('GET', `${me}?api_key=${live}`, { key });
  await wire.call('GET', `${me}?api_key=${live}`, { key: 'nobody' });
  for (const headers of [{ Authorization: `Bearer ${key}` }, { Authorization: `Basic ${btoa(`${key}:`)}` }, { Cookie: `api_key=${key}` }, { 'X-ApiKey': key }, { 'X-API-Key': `ApiKey ${key}` }]) {
    await wire.call('GET', me, { key: null, headers: headers as Record<string, string> });
  }
}

/** Uses up one minute of a new key, and looks again as time goes by. */
async function exhaust(wire: Wire, key: string, environment: string, calls: number): Promise<void> {
  const { secret } = await createKey(wire, key, environment, scopes, `limit ${environment}`);
  await wire.wait(70_000);
  for (let at = 0; at < calls; at += 1) await wire.call('GET', `${api}/platform/me`, { key: secret });
  await wire.call('POST', `${api}/ads/audits`, { key: secret, body: '{' });
  for (const ms of [1_000, 20_000, 25_000, 15_000, 30_000, 60_000, 120_000, 120_000]) {
    await wire.wait(ms);
    await wire.call('GET', `${api}/platform/me`, { key: secret });
  }
}

/** One fixed sequence of calls: for all that shows without using a budget up. */
export async function playCalls(variation: Variation = {}): Promise<Wire> {
  const wire = createWire(variation);
  const { SANDBOX_API_KEY: sandbox = '', LIVE_API_KEY: live = '' } = wire.settings;
  await everyCall(wire, live, 'none');
  await everyCall(wire, sandbox, 'none', { 'Accept-Encoding': 'gzip' });
  await wire.call('POST', `${api}/developer/sandbox/seed`, { key: sandbox, headers: { 'Accept-Encoding': 'br' } });
  await wire.wait(70_000);
  const { id } = await createKey(wire, sandbox, 'sandbox', ['ads:read'], 'looked at');
  await strangers(wire, sandbox, id);
  await wire.wait(70_000);
  await filters(wire, sandbox);
  await filters(wire, live);
  await wire.wait(70_000);
  await bodyRules(wire, sandbox);
  await modes(wire, sandbox, live);
  await scopeRules(wire, sandbox);
  await wire.wait(70_000);
  await manageKeys(wire, sandbox, live);
  for (const key of [sandbox, live]) await everyCall(wire, key, id, { 'Accept-Encoding': 'deflate' });
  return wire;
}

/** Uses the minutes of all kinds of callers up. */
export async function playMinutes(variation: Variation = {}): Promise<Wire> {
  const wire = createWire(variation);
  const { SANDBOX_API_KEY: sandbox = '', LIVE_API_KEY: live = '', ENTERPRISE_API_KEY: enterprise = '' } = wire.settings;
  await exhaust(wire, sandbox, 'sandbox', 130);
  await exhaust(wire, live, 'live', 130);
  for (let at = 0; at < 605; at += 1) await wire.call('GET', `${api}/platform/me`, { key: enterprise });
  for (let at = 0; at < 320; at += 1) await wire.call('GET', `${api}/platform/me`, { key: null });
  return wire;
}

/** Uses up what a kind of key is given a day, and calls a little more; keeps to the minute's limit. */
export async function playDay(kind: 'SANDBOX' | 'LIVE' | 'ENTERPRISE', minute: number, day: number, variation: Variation = {}): Promise<Wire> {
  const wire = createWire(variation);
  const key = wire.settings[`${kind}_API_KEY`] ?? '';
  for (let made = 0; made < day + 2; made += 1) {
    if (made % minute === 0) await wire.wait(60_000);
    await wire.call('GET', `${api}/developer/sandbox/seed`, { key });
  }
  return wire;
}

import { createWire, type Exchange, type Variation, type Wire } from './workspace-wire.ts';

/** What a deployment of that variation said and sent. */
export interface Transcript {
  /** What went over the wire: answers, and deliveries with the moment of their sending, as they came. */
  readonly wire: string;
  readonly exchanges: readonly Exchange[];
}

const endpoints = (id: string): [method: string, path: string, body?: unknown][] => [
  ['GET', '/v1/agents'],
  ['GET', `/v1/agents/${id}`],
  ['POST', '/v1/agents', { name: 'Night desk' }],
  ['PATCH', `/v1/agents/${id}`, { name: 'Day desk' }],
  ['DELETE', `/v1/agents/${id}`],
  ['GET', '/v1/leads'],
  ['POST', '/v1/leads', { name: 'Zoë Ōkubo' }],
  ['GET', `/v1/leads/${id}`],
  ['PATCH', `/v1/leads/${id}`, { status: 'routed' }],
  ['GET', '/v1/bookings'],
  ['POST', '/v1/bookings', { title: 'Démo' }],
  ['DELETE', `/v1/bookings/${id}`],
  ['GET', '/v1/webhooks'],
  ['POST', '/v1/webhooks', { url: 'http://receiver.test/c' }],
  ['DELETE', `/v1/webhooks/${id}`],
];

export const secrets = [
  'whsec_T25lIHNlY3JldCBmb3Igd2ViaG9vayBvbmUrLz8=',
  'whsec_QW5vdGhlciBzZWNyZXQgZm9yIHdlYmhvb2sgdHdvIQ==',
] as const;

const minute = 60_000;

async function webhooks({ call }: Wire): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, secret] of secrets.entries()) {
    const { json } = await call('POST', '/v1/webhooks', {
      body: {
        url: `http://receiver.test/${index}`,
        secret,
        ...(index === 0 ? {} : { events: ['booking.created', 'booking.cancelled'] }),
      },
    });
    ids.push(String(json['id']));
  }
  await call('POST', '/v1/webhooks', { body: { url: 'nowhere' } });
  await call('GET', '/v1/webhooks');
  return ids;
}

async function records({ call, wait }: Wire): Promise<void> {
  const bodies = { agents: { name: 'Night desk', colour: 'blue' }, leads: { name: 'Zoë Ōkubo', first_name: 'Zoë' } };
  for (const kind of ['agents', 'leads'] as const) {
    const id = String((await call('POST', `/v1/${kind}`, { body: bodies[kind] })).json['id']);
    await call('GET', `/v1/${kind}`);
    await call('GET', `/v1/${kind}/${id}`);
    await wait(20);
    await call('PATCH', `/v1/${kind}/${id}`, {
      body: { status: kind === 'leads' ? 'qualified' : 'paused', display_name: 'Zoe' },
    });
    await call('GET', `/v1/${kind}/${id}`);
    if (kind === 'agents') for (const method of ['DELETE', 'GET', 'DELETE']) await call(method, `/v1/agents/${id}`);
  }
  for (const query of ['?status=new', '?filter[status]=new', '?nothing=1', '?limit=2'])
    await call('GET', `/v1/leads${query}`);
  const {
    json: { id },
  } = await call('POST', '/v1/leads', { body: { name: 'Changed last' } });
  await wait(20);
  await call('POST', '/v1/leads', { body: { name: 'Came last' } });
  await wait(20);
  await call('PATCH', `/v1/leads/${String(id)}`, { body: { company: 'Example' } });
  for (const kind of ['agents', 'leads']) await call('GET', `/v1/${kind}`);
}

async function bookings({ call, wait }: Wire): Promise<void> {
  for (const title of ['Démo', 'Rückruf/2']) {
    const {
      json: { id },
    } = await call('POST', '/v1/bookings', { body: { title, start_time: '2026-04-01T09:00:00Z' } });
    await wait(3_000);
    await call('GET', '/v1/bookings');
    await call('DELETE', `/v1/bookings/${String(id)}`);
    await call('DELETE', `/v1/bookings/${String(id)}`);
    await wait(3_000);
  }
  await call('GET', '/v1/bookings');
}

async function refusals({ call, settings, wait }: Wire): Promise<void> {
  const key = settings['WORKSPACE_API_KEY'] ?? '';
  const middle = `${key.slice(0, 20)}${key[20] === 'x' ? 'y' : 'x'}${key.slice(21)}`;
  const last = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  for (const bad of [null, 'wsk_unknown', middle, last, '', settings['WORKSPACE_REVOKED_API_KEY'] ?? '']) {
    for (const [method, path, body] of endpoints('lead_0000000000000000')) await call(method, path, { key: bad, body });
  }
  await wait(minute);
  const limited = settings['WORKSPACE_LIMITED_API_KEY'] ?? '';
  for (const [method, path, body] of endpoints('lead_0000000000000000'))
    await call(method, path, { key: limited, body });
  for (const [method, path, body] of endpoints('lead_0000000000000000').filter(([, path]) => path.includes('_000')))
    await call(method, path, { body });
  await wait(minute);
  await call('GET', '/v1/agents', { key: null, headers: { 'X-API-Key': key } });
  await call('GET', `/v1/agents?api_key=${key}`, { key: null });
  await call('GET', '/v1/agents', {
    key: null,
    headers: { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
  });
  for (const [method, path, body] of endpoints('lead_0000000000000000')) {
    if (body !== undefined) await call(method, path, { body: '{"name": ' });
  }
  for (const kind of ['agents', 'leads']) {
    const {
      json: { id },
    } = await call('POST', `/v1/${kind}`, { body: { name: 'Patched' } });
    await call('PATCH', `/v1/${kind}/${String(id)}`, { body: { name: 'Changed' } });
    await call('PATCH', `/v1/${kind}/${String(id)}`, { body: '{"name": ' });
  }
}

async function oddities({ call, settings, wait }: Wire): Promise<void> {
  await wait(minute);
  await call('GET', '/v1/nothing');
  await call('GET', '/v1/nothing', { key: null });
  for (const method of ['PUT', 'OPTIONS'])
    await call(method, '/v1/agents', { body: method === 'PUT' ? {} : undefined });
  await call('POST', '/v1/leads', { body: { name: 'x'.repeat(1_100_000) } });
  await call('POST', '/v1/leads', { body: { name: 'Plain' }, headers: { 'Content-Type': 'text/plain' } });
  await call('GET', '/v1/leads', { headers: { 'Content-Type': 'text/plain' } });
  for (const coding of ['gzip', 'deflate', 'br'])
    await call('GET', '/v1/leads', { headers: { 'Accept-Encoding': coding } });
  await wait(2 * minute + 1);
  for (let count = 0; count < 45; count += 1)
    await call('GET', count % 2 === 0 ? '/v1/leads' : '/v1/agents', {
      key: settings['WORKSPACE_SECOND_API_KEY'] ?? '',
    });
  for (let count = 0; count < 20; count += 1) await call('POST', '/v1/nothing');
  for (const ms of [30_000, 40_000, 61_000]) {
    await wait(ms);
    await call('GET', '/v1/leads');
  }
}

/** More records than a workspace may have, and a URL that is registered twice. */
async function crowd({ call, wait }: Wire): Promise<void> {
  await wait(2 * minute);
  for (let count = 0; count < 10; count += 1) await call('POST', '/v1/agents', { body: { name: `Desk ${count}` } });
  for (let count = 0; count < 6; count += 1) await call('POST', '/v1/webhooks', { body: { url: `http://receiver.test/x${count}` } });
  await call('POST', '/v1/webhooks', { body: { url: 'http://receiver.test/x0' } });
  for (let count = 0; count < 2; count += 1) await call('POST', '/v1/bookings', { body: { title: 'Crowded', start_time: '2026-05-01T09:00:00Z' } });
}

/** Fills the day: 10,000 calls admitted, and two more. */
async function wholeDay({ call, wait, log }: Wire): Promise<void> {
  for (let batch = 0; batch < 168; batch += 1) {
    for (let count = 0; count < 60; count += 1) await call('GET', '/v1/webhooks');
    if (batch < 160) log.splice(0);
    await wait(minute);
  }
}

/** The calls that every variation has to show itself in, and the deliveries that they cause. */
export async function playScript(variation: Variation = {}, fillDay = false): Promise<Transcript> {
  const wire = createWire(variation);
  if (fillDay) await wholeDay(wire);
  const ids = await webhooks(wire);
  await records(wire);
  await wire.wait(minute);
  await bookings(wire);
  for (const id of ids) await wire.call('DELETE', `/v1/webhooks/${id}`);
  await wire.call('GET', '/v1/webhooks');
  await wire.call('POST', '/v1/bookings', { body: { title: 'After' } });
  await wire.wait(minute);
  await refusals(wire);
  await oddities(wire);
  await crowd(wire);
  await wire.wait(20 * minute);
  return { wire: wire.log.join('\n'), exchanges: wire.exchanges };
}

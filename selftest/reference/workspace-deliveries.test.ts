import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { createWorkspaceApi, type WorkspaceApi } from '../../fixtures/reference/workspace/app.ts';
import { workspaceChoices } from '../../fixtures/reference/workspace/choices.ts';
import type { Deliver, DeliveryAnswer, DeliveryRequest } from '../../fixtures/reference/workspace/model.ts';
import { plainWorkspace } from '../../fixtures/reference/workspace/plain.ts';
import { varied } from '../../fixtures/reference/vary.ts';
import { createVirtualClock, type VirtualClock } from '../virtual-clock.ts';

type Json = Record<string, unknown>;

interface Sent extends DeliveryRequest {
  readonly at: number;
}

interface Scene {
  readonly api: WorkspaceApi;
  readonly clock: VirtualClock;
  readonly sent: Sent[];
  call(method: string, path: string, body?: unknown): Promise<{ status: number; json: Json }>;
}

const accepts = async (): Promise<DeliveryAnswer> => ({ status: 200 });

/** A deployment with some choices; `receive` answers deliveries. */
function scene(choices: Record<string, string> = {}, receive: Deliver = accepts): Scene {
  const clock = createVirtualClock();
  const sent: Sent[] = [];
  const deliver: Deliver = async (request) => {
    sent.push({ ...request, at: clock.now() });
    return receive(request);
  };
  const api = createWorkspaceApi({
    clock,
    deliver,
    behaviour: varied(plainWorkspace, [], workspaceChoices, { choices }),
  });
  return {
    api,
    clock,
    sent,
    async call(method, path, body) {
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = {
        Authorization: `Bearer ${api.settings['WORKSPACE_API_KEY'] ?? ''}`,
        'Content-Type': 'application/json',
      };
      const response = await api.fetch(new Request(`http://workspace.test${path}`, { method, headers, ...content }));
      return { status: response.status, json: (await response.json()) as Json };
    },
  };
}

const secret = 'whsec_T25lIHNlY3JldCBmb3Igd2ViaG9vayBvbmUrLz8=';
const url = 'http://receiver.test/hook';
const typeOf = ({ body }: DeliveryRequest): unknown => (JSON.parse(body) as Json)['type'];

async function bookAndCancel({ call, clock }: Scene): Promise<string> {
  const { json } = await call('POST', '/v1/bookings', { title: 'Demo' });
  await call('DELETE', `/v1/bookings/${String(json['id'])}`);
  await clock.sleep(5_000);
  return String(json['id']);
}

describe('deliveries of the plain reference', () => {
  test("announce a booking and its cancellation, in that order, signed as the standard's package signs", async () => {
    const plain = scene();
    const { json } = await plain.call('POST', '/v1/webhooks', { url, secret });
    expect(json['secret']).toBe(secret);
    const id = await bookAndCancel(plain);
    expect(plain.sent.map(typeOf)).toEqual(['booking.created', 'booking.cancelled']);
    for (const { body, headers } of plain.sent) {
      expect(body).toContain(id);
      // Its verification reads the clock of this machine for its tolerance, so signatures are compared instead.
      const at = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(String(headers['webhook-id']), at, body));
    }
  });

  test('announce leads that become qualified or routed, and nothing else of leads', async () => {
    const plain = scene();
    await plain.call('POST', '/v1/webhooks', { url });
    const { json } = await plain.call('POST', '/v1/leads', { name: 'Ada', status: 'new' });
    for (const body of [{ status: 'qualified' }, { company: 'Example' }, { status: 'routed' }])
      await plain.call('PATCH', `/v1/leads/${String(json['id'])}`, body);
    await plain.clock.sleep(1_000);
    expect(plain.sent.map(typeOf)).toEqual(['lead.qualified', 'lead.routed']);
  });

  test('are tried again within a second: same id and body, new time, signed anew', async () => {
    let refusals = 2;
    const plain = scene({}, async () => ({ status: (refusals -= 1) >= 0 ? 503 : 204 }));
    await plain.call('POST', '/v1/webhooks', { url, secret });
    await plain.call('POST', '/v1/bookings', {});
    await plain.clock.sleep(60_000);
    const [first, second, third] = plain.sent;
    expect(plain.sent.length).toBe(3);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThanOrEqual(1_000);
    for (const again of [second, third]) {
      expect(again?.body).toBe(first?.body);
      expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    }
    expect(third?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    expect(plain.api.pending()).toBe(0);
  });

  test('are given up after the last retry, also where the endpoint cannot be reached', async () => {
    const plain = scene({}, async () => {
      throw new Error('connection refused');
    });
    await plain.call('POST', '/v1/webhooks', { url });
    await plain.call('POST', '/v1/bookings', {});
    await plain.clock.sleep(600_000);
    expect(plain.sent.length).toBe(1 + plainWorkspace.timing.retries.length);
    expect(plain.api.pending()).toBe(0);
  });

  test('do not hold up later events while one is refused', async () => {
    const plain = scene({}, async (request) => ({ status: typeOf(request) === 'booking.created' ? 500 : 200 }));
    await plain.call('POST', '/v1/webhooks', { url });
    await bookAndCancel(plain);
    expect(plain.sent.slice(0, 2).map(typeOf)).toEqual(['booking.created', 'booking.cancelled']);
  });

  test('go to nobody who has been removed, not even as retries', async () => {
    const plain = scene({}, async () => ({ status: 500 }));
    const { json } = await plain.call('POST', '/v1/webhooks', { url });
    await plain.call('POST', '/v1/bookings', {});
    await plain.clock.sleep(100);
    await plain.call('DELETE', `/v1/webhooks/${String(json['id'])}`);
    await plain.call('POST', '/v1/bookings', {});
    await plain.clock.sleep(60_000);
    expect(plain.sent.length).toBe(1);
  });

  test('carry the events that a webhook selected, each under its own secret', async () => {
    const plain = scene();
    await plain.call('POST', '/v1/webhooks', { url: `${url}/all`, secret });
    await plain.call('POST', '/v1/webhooks', { url: `${url}/some`, events: ['booking.cancelled'] });
    await bookAndCancel(plain);
    const by = (path: string): Sent[] => plain.sent.filter((one) => one.url.endsWith(path));
    expect([by('/all').map(typeOf), by('/some').map(typeOf)]).toEqual([
      ['booking.created', 'booking.cancelled'],
      ['booking.cancelled'],
    ]);
  });

  test('end with the deployment', async () => {
    const plain = scene({}, async () => ({ status: 500 }));
    await plain.call('POST', '/v1/webhooks', { url });
    await plain.call('POST', '/v1/bookings', {});
    plain.api.close();
    await plain.clock.sleep(60_000);
    expect(plain.sent.length).toBe(0);
  });
});

describe('secrets', () => {
  const revealed = async (choices: Record<string, string>, body: Json = { url, secret }): Promise<unknown> =>
    (await scene(choices).call('POST', '/v1/webhooks', body)).json['secret'];

  test('are revealed once where the deployment makes them', async () => {
    const own = scene({ 'webhook-secret': 'revealed' });
    const { json } = await own.call('POST', '/v1/webhooks', { url, secret });
    expect(json['secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(json['secret']).not.toBe(secret);
    expect(JSON.stringify((await own.call('GET', '/v1/webhooks')).json)).not.toContain(String(json['secret']));
  });

  test('are shown no more where the caller chose them, and shown where it did not', async () => {
    expect(await revealed({ 'webhook-secret': 'silent' })).toBeUndefined();
    expect(await revealed({ 'webhook-secret': 'silent' }, { url })).toMatch(/^whsec_/);
  });

  test('stand in the settings where only the dashboard shows them', async () => {
    const dashboard = scene({ 'webhook-secret': 'dashboard' });
    expect((await dashboard.call('POST', '/v1/webhooks', { url, secret })).json['secret']).toBeUndefined();
    expect(dashboard.api.settings['WEBHOOK_SECRET']).toMatch(/^whsec_/);
    expect(scene().api.settings['WEBHOOK_SECRET']).toBeUndefined();
  });

  test("of another form than the scheme's are refused", async () => {
    const { status, json } = await scene().call('POST', '/v1/webhooks', { url, secret: 'a secret of my own choosing' });
    expect(status).toBe(400);
    expect((json['error'] as Json)['message']).toContain('secret must be whsec_');
  });
});

describe('handshakes', () => {
  const registered = async (value: string, receive: Deliver): Promise<number> =>
    (await scene({ 'webhook-handshake': value }, receive).call('POST', '/v1/webhooks', { url, secret })).status;

  test.each(['challenge', 'options', 'hook-secret', 'get-challenge', 'plain-token'])(
    '%s: an endpoint that does not answer is not registered',
    async (value) => {
      expect(await registered(value, accepts)).toBe(400);
      expect(
        await registered(value, async () => {
          throw new Error('connection refused');
        }),
      ).toBe(400);
    },
  );

  test.each<[string, (request: DeliveryRequest) => DeliveryAnswer]>([
    ['challenge', ({ body }) => ({ status: 200, body: String((JSON.parse(body) as Json)['challenge']) })],
    ['options', () => ({ status: 200, headers: { 'webhook-allowed-origin': '*' } })],
    ['hook-secret', ({ headers }) => ({ status: 200, headers: { 'x-hook-secret': String(headers['X-Hook-Secret']) } })],
    [
      'get-challenge',
      (request) => ({ status: 200, body: String(new URL(request.url).searchParams.get('hub.challenge')) }),
    ],
  ])('%s: an endpoint that answers is', async (value, answer) => {
    expect(await registered(value, async (request) => answer(request))).toBe(201);
  });
});

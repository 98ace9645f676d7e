import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { answerHandshake } from '../../../../webhooks/inbox/handshake.ts';
import type { Arrived } from '../../../../webhooks/signature/delivery.ts';

const secret = 'whsec_abc';
const arrived = ({ json, ...rest }: Partial<Arrived> & { json?: unknown }): Arrived => ({
  method: 'POST',
  url: '/hooks/x',
  headers: [],
  body: Buffer.from(json === undefined ? '' : JSON.stringify(json)),
  ...rest,
});
const encryptedToken = createHmac('sha256', secret).update('p').digest('hex');

test.for([
  ["Slack's url_verification", { json: { type: 'url_verification', challenge: 'c1' } }, '{"challenge":"c1"}'],
  [
    "Twitch's challenge, which names the selected event",
    {
      json: { challenge: 'c2', subscription: { type: 'booking.created' } },
      headers: [['Twitch-Eventsub-Message-Type', 'webhook_callback_verification']],
    },
    'c2',
  ],
  ['a challenge that is a number', { json: { challenge: 7 } }, '{"challenge":7}'],
  ["WebSub's hub.challenge", { method: 'GET', url: '/hooks/x?hub.challenge=c3' }, 'c3'],
  ["Microsoft's validationToken", { url: '/hooks/x?validationToken=t%20o' }, 't o'],
  [
    "Zoom's plainToken",
    { json: { event: 'endpoint.url_validation', payload: { plainToken: 'p' } } },
    JSON.stringify({ plainToken: 'p', encryptedToken }),
  ],
  ['a GET that checks whether the URL answers', { method: 'GET' }, 'ok'],
] as const)('the handshake %s gets the answer that its sender expects', ([, parts, body]) => {
  expect(answerHandshake(arrived(parts), secret)).toMatchObject({
    reply: { status: 200, body },
    delivers: false,
  });
});

test("CloudEvents' OPTIONS and Asana's X-Hook-Secret are answered by a header", () => {
  const asked = arrived({ method: 'OPTIONS', headers: [['WebHook-Request-Origin', 'desk.example']] });
  const allowed = { 'WebHook-Allowed-Origin': 'desk.example' };
  expect(answerHandshake(asked, secret)).toMatchObject({ reply: { headers: allowed } });
  const given = { 'X-Hook-Secret': 'given' };
  const shown = answerHandshake(arrived({ headers: Object.entries(given) }), secret);
  expect(shown).toMatchObject({ reply: { headers: given }, given: 'given' });
});

const event = { type: 'booking.created', data: { id: 'bk_1' } };

test('a handshake that contains an event is a delivery too', () => {
  const delivers = { reply: { status: 200 }, delivers: true };
  expect(answerHandshake(arrived({ json: { ...event, challenge: 'c1' } }), secret)).toMatchObject(delivers);
  const headers = [['X-Hook-Secret', 'given']] as const;
  expect(answerHandshake(arrived({ headers, json: { ...event, type: 'booking.other' } }), secret)).toMatchObject(
    delivers,
  );
});

test.for([
  ['an event in the query of a GET', { method: 'GET', url: '/hooks/x?event=booking.created&id=bk_1' }],
  ['a large body', { json: { challenge: 'x', padding: 'y'.repeat(20_000) } }],
] as const)('%s is a delivery', ([, parts]) => {
  expect(answerHandshake(arrived(parts), secret)).toBeNull();
});

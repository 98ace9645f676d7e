import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { answerHandshake } from '../../../../webhooks/inbox/handshake.ts';
import type { Arrived } from '../../../../webhooks/inbox/mailbox.ts';

const secret = 'whsec_abc';
const arrived = (parts: Partial<Arrived> & { json?: unknown }): Arrived => {
  const { json, ...rest } = parts;
  return {
    method: 'POST',
    url: '/hooks/x',
    headers: [],
    body: Buffer.from(json === undefined ? '' : JSON.stringify(json)),
    ...rest,
  };
};
const hmac = (content: string): string => createHmac('sha256', secret).update(content).digest('hex');

describe('a known handshake gets the answer that its sender expects', () => {
  test.for([
    ["Slack's challenge", { json: { type: 'url_verification', challenge: 'c1' } }, 'challenge', '{"challenge":"c1"}'],
    ["Twitch's challenge", { json: { challenge: 'c2', subscription: {} } }, 'challenge', 'c2'],
    ['a challenge that is a number', { json: { challenge: 7 } }, 'challenge', '{"challenge":7}'],
    [
      "WebSub's hub.challenge",
      { method: 'GET', url: '/hooks/x?hub.mode=subscribe&hub.challenge=c3' },
      'challenge',
      'c3',
    ],
    ["Microsoft's validationToken", { url: '/hooks/x?validationToken=t%20o' }, 'validationToken', 't o'],
    [
      "Zoom's plainToken",
      { json: { event: 'endpoint.url_validation', payload: { plainToken: 'p' } } },
      'plainToken',
      `{"plainToken":"p","encryptedToken":"${hmac('p')}"}`,
    ],
    ['a GET that checks whether the URL answers', { method: 'GET' }, 'GET', 'ok'],
    ['HEAD', { method: 'HEAD' }, 'HEAD', ''],
    ['a verification call without a body', {}, 'empty body', 'ok'],
    [
      'a challenge that names the selected events',
      { json: { challenge: 'c4', subscription: { type: 'booking.created', status: 'pending' } } },
      'challenge',
      'c4',
    ],
    [
      'a challenge with a type of its own',
      { json: { event: 'endpoint.verification', challenge: 'c5' } },
      'challenge',
      '{"challenge":"c5"}',
    ],
  ] as const)('%s', ([, parts, name, body]) => {
    expect(answerHandshake(arrived(parts), secret)).toMatchObject({
      handshake: { name },
      reply: { status: 200, body },
      delivers: false,
    });
  });

  test("Asana's X-Hook-Secret, which is the secret from then on", () => {
    const answer = answerHandshake(arrived({ headers: [['x-hook-secret', 'given']] }), secret);
    expect(answer).toMatchObject({
      handshake: { name: 'X-Hook-Secret', secret: 'given' },
      reply: { status: 200, headers: { 'X-Hook-Secret': 'given' } },
    });
  });

  test("CloudEvents' OPTIONS", () => {
    const answer = answerHandshake(
      arrived({ method: 'OPTIONS', headers: [['WebHook-Request-Origin', 'events.example']] }),
      secret,
    );
    expect(answer?.reply).toMatchObject({ status: 200, headers: { 'WebHook-Allowed-Origin': 'events.example' } });
  });
});

const event = { type: 'booking.created', data: { id: 'bk_1' } };

describe('a handshake that contains an event is answered and counted as a delivery', () => {
  test.for([{ ...event }, { meta: { event: 'booking.created' }, data: { id: 'bkg_1' } }])(
    'a challenge next to the event %j',
    (json) => {
      expect(answerHandshake(arrived({ json: { ...json, challenge: 'c1' } }), secret)).toMatchObject({
        handshake: { name: 'challenge' },
        reply: { status: 200, body: '{"challenge":"c1"}' },
        delivers: true,
      });
    },
  );

  test.for(['booking.created', 'booking.archived'])('X-Hook-Secret with %s', (type) => {
    const headers = [['X-Hook-Secret', 'given']] as const;
    expect(answerHandshake(arrived({ headers, json: { ...event, type } }), secret)).toMatchObject({
      handshake: { name: 'X-Hook-Secret', secret: 'given' },
      reply: { status: 200, headers: { 'X-Hook-Secret': 'given' } },
      delivers: true,
    });
  });
});

test.for([
  ['an event', { json: { type: 'booking.created', data: { challenge: 'accepted' } } }],
  ['an event in the query of a GET', { method: 'GET', url: '/hooks/x?event=booking.created&id=bk_1' }],
  ['an event in a header, without a body', { headers: [['X-Event-Type', 'booking.created']] }],
  ['broken JSON', { body: Buffer.from('{"challenge":') }],
  ['a challenge that is not a word', { json: { challenge: { nested: true } } }],
  ['a list', { json: [{ challenge: 'x' }] }],
  ['a large body', { json: { challenge: 'x', padding: 'y'.repeat(20_000) } }],
  ['plainToken that is a number', { json: { payload: { plainToken: 1 } } }],
] as const)('%s is a delivery', ([, parts]) => {
  expect(answerHandshake(arrived(parts), secret)).toBeNull();
});

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { discoverAmong } from '../../../webhooks/signature/discover-among.ts';
import { oneKeyForBoth } from '../../../webhooks/signature/one-key.ts';
import { deliver, hmac, plain, type Sender, whsec } from '../../unit/webhooks/signature/deliveries.ts';

const bodyAlone =
  (key: string): Sender =>
  ({ body }) => ({ 'X-Signature': hmac(key, body) });

describe('one of several secrets', () => {
  test('is found with its scheme, at any place in the list', () => {
    for (const secrets of [
      [plain, whsec, 'another-secret-1'],
      ['another-secret-1', whsec, plain],
    ]) {
      const { secret, discovery } = discoverAmong(deliver(bodyAlone(plain)), secrets);
      expect([secret, discovery.kind]).toEqual([plain, 'verified']);
    }
  });

  test('a common content under the last secret is preferred to an uncommon one under the first', () => {
    const both: Sender = ({ body, s }) => ({
      'X-Time': s,
      'X-Signature': hmac(plain, body),
      'X-Other-Signature': hmac(whsec, `POST|${s}|${body}`),
    });
    expect(discoverAmong(deliver(both), [whsec, plain]).secret).toBe(plain);
  });
});

const withCredentials =
  (key: string): Sender =>
  ({ body }) => ({
    Authorization: `Basic ${Buffer.from(`desk:${hmac(key, body)}`).toString('base64')}`,
    'X-Old-Signature': hmac('old', body),
  });

describe('one key for two webhooks', () => {
  const of = (sender: Sender, secret: string): Parameters<typeof oneKeyForBoth>[0] => {
    const deliveries = deliver(sender);
    return { deliveries, discovery: discoverScheme(deliveries, secret, { lastResort: false }) };
  };
  const shared = (sender: Sender, other: Sender = sender): unknown =>
    oneKeyForBoth(of(sender, plain), of(other, whsec));

  test.for(['X-Signature', 'X-Desk-Sig'])('is proved by identical signatures over identical bytes in %s', (name) => {
    expect(shared(({ body }) => ({ [name]: hmac('one key for all', body) }))).toEqual({
      source: { in: 'header', name, label: null },
      deliveries: [0, 0],
    });
  });

  test.for<[string, Sender, Sender?]>([
    ['two keys', bodyAlone('a'), bodyAlone('b')],
    [
      'a further signature next to one with the secret',
      (one) => ({ ...bodyAlone(plain)(one), 'X-Old-Signature': hmac('old', one.body) }),
    ],
    ...['X-Signature', 'X-Auth'].map((name): [string, Sender, Sender] => {
      const withUnknown = (key: string): Sender => {
        return ({ body, s }) => ({ [name]: hmac(key, `${s}?${body}`), 'X-Old-Signature': hmac('old', body) });
      };
      return [`a further signature next to one that nothing explains, in ${name}`, withUnknown('a'), withUnknown('b')];
    }),
    ['a further signature next to one in credentials, which is not read', withCredentials('a'), withCredentials('b')],
    ['a plain hash', ({ body }) => ({ 'X-Body-Signature': createHash('sha256').update(body).digest('hex') })],
    ['a value that never changes', () => ({ 'X-Signature': hmac('one key for all', 'nothing') })],
    ['a header that is not named like a signature', ({ body }) => ({ 'X-Trace': hmac('one key for all', body) })],
    ['nothing', () => ({})],
  ])('is not claimed of %s', ([, sender, other]) => {
    expect(shared(sender, other)).toBeUndefined();
  });
});

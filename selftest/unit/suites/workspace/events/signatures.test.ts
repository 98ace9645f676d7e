import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Signing, signatureFinding } from '../../../../../suites/workspace/events/signatures.ts';
import { discoverScheme } from '../../../../../webhooks/signature/discover.ts';

test('canonical JSON as the signed content (RFC 8785) is open, not wrong', () => {
  const secret = 'whsec_of_the_first_0123456789abcdef';
  const deliveries = [1, 2].map((number) => {
    const [type, id, data] = ['booking.created', `evt_${number}`, { a: 'x', z: number }];
    const signed = createHmac('sha256', secret).update(JSON.stringify({ data, id, type }));
    return {
      method: 'POST',
      url: '/hooks/first',
      registeredUrl: 'http://127.0.0.1/hooks/first',
      headers: [['X-Signature', signed.digest('hex')]] as const,
      body: Buffer.from(JSON.stringify({ type, id, data: { z: data.z, a: data.a } })),
      receivedAt: number,
    };
  });
  const discovery = discoverScheme(deliveries, secret);
  const signing = { webhook: { name: 'first', deliveries }, discovery, secret, isCertain: true } as unknown as Signing;
  expect([discovery.kind, signatureFinding(signing)?.isOpen]).toEqual(['other-text', true]);
});

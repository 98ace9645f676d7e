import { createHmac } from 'node:crypto';
import { test } from 'vitest';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';

const secret = 'the secret of a benchmark';
const url = 'https://hooks.example.test/inbox';

/** Three deliveries whose signature covers the timestamp, a dot and the body. */
const deliveriesSignedWith = (key: string, size: number): Delivery[] =>
  [0, 1, 2].map((n) => {
    const at = Date.UTC(2026, 0, 1) + n * 7_321;
    const seconds = String(Math.floor(at / 1000));
    const body = JSON.stringify({ type: 'booking.created', id: `bk_${n}`, notes: 'n'.repeat(size) });
    const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
    return {
      method: 'POST',
      url: '/inbox',
      registeredUrl: url,
      receivedAt: at + 90,
      body: Buffer.from(body),
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Timestamp', seconds],
        ['X-Signature', `sha256=${signature}`],
      ],
    };
  });

test.for([
  ['found', 'in a body of 1 KiB', secret, 1_024],
  ['found', 'in a body of 64 KiB', secret, 65_536],
  ['not found: another secret', 'in a body of 1 KiB', 'another secret', 1_024],
] as const)('discovering a signature, %s %s', async ([how, where, key, size], { bench }) => {
  const deliveries = deliveriesSignedWith(key, size);
  await bench(`scheme of three deliveries, ${how}, ${where}`, () => {
    discoverScheme(deliveries, secret);
  }).run({ time: 500, iterations: 5 });
});

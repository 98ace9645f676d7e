import { expect, test } from 'vitest';
import { schemes } from '../../../fixtures/reference/workspace/schemes.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { sign, signingOf, url } from '../../unit/fixtures/reference/signings.ts';

test.each(Object.keys(schemes))('%s of the reference is found by the suite from two deliveries', (name) => {
  const deliveries = [0, 1].map((number): Delivery => {
    const signing = signingOf(name, number);
    const headers = Object.entries({ 'Content-Type': 'application/json', ...sign(name, signing) });
    return {
      method: 'POST',
      url: '/hooks?tenant=7',
      registeredUrl: url,
      receivedAt: signing.at + 90,
      body: Buffer.from(signing.body),
      headers,
    };
  });
  expect(discoverScheme(deliveries, signingOf(name).secret).kind).toBe('verified');
  expect(discoverScheme(deliveries, `${signingOf(name).secret.slice(0, -4)}AAA=`, { lastResort: false }).kind).not.toBe(
    'verified',
  );
});

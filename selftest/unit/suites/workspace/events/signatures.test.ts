import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Signing, signatureFinding } from '../../../../../suites/workspace/events/signatures.ts';
import { discoverScheme } from '../../../../../webhooks/signature/discover.ts';

const secret = 'whsec_of_the_first_0123456789abcdef';

/** Two deliveries that are signed over what `signed` makes of their payload, with a key. */
function signing(name: string, signed: (payload: object) => string, key = secret): Signing {
  const deliveries = [1, 2].map((number) => {
    const payload = { type: 'booking.created', id: `evt_${name}_${number}`, data: { z: number, a: 'x' } };
    const body = JSON.stringify(payload);
    return {
      method: 'POST',
      url: `/hooks/${name}`,
      registeredUrl: `http://127.0.0.1/hooks/${name}`,
      headers: [['X-Signature', createHmac('sha256', key).update(signed(payload)).digest('hex')]] as const,
      body: Buffer.from(body),
      receivedAt: number,
    };
  });
  const discovery = discoverScheme(deliveries, secret);
  return { webhook: { name, deliveries }, discovery, secret, isCertain: true } as unknown as Signing;
}

const asSent = (payload: object): string => JSON.stringify(payload);
const canonical = ({ type, id, data }: { type?: string; id?: string; data?: { a: string; z: number } }): string =>
  JSON.stringify({ data: { a: data?.a, z: data?.z }, id, type });

test('canonical JSON as the signed content is open, not wrong', () => {
  const found = signing('first', canonical);
  expect(found.discovery.kind).toBe('other-text');
  expect(signatureFinding(found, [found])?.isOpen).toBe(true);
});

test('deliveries that the scheme of another webhook does not verify are not signed with their secret', () => {
  const proven = signing('second', asSent);
  const wrong = signing('first', asSent, 'another secret of somebody');
  expect([proven.discovery.kind, wrong.discovery.kind]).toEqual(['verified', 'unknown-content']);
  expect(signatureFinding(proven, [proven, wrong])).toBeNull();
  expect(signatureFinding(wrong, [proven, wrong])?.finding.message).toMatch(/are not signed with its secret/);
  expect(signatureFinding(wrong, [wrong])?.isOpen).toBe(true);
});

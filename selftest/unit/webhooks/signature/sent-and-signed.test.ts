import { expect, test } from 'vitest';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { sentAndSigned } from '../../../../webhooks/signature/sent-and-signed.ts';

const delivery = (body: string): Delivery => ({
  method: 'POST',
  url: '/hook',
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(body),
  registeredUrl: 'http://receiver.test/hook',
  receivedAt: 0,
});

test('the signed text is shown next to the sent one, from shortly before they differ', () => {
  const long = `{"pad":"${'x'.repeat(300)}","b":1,"a":"ü"}`;
  expect(sentAndSigned('json-compact', [delivery('{"a":1}'), delivery('{"b": 1, "a": 2}')])).toEqual({
    sent: '{"b": 1, "a": 2}',
    signed: '{"b":1,"a":2}',
  });
  expect(sentAndSigned('json-ascii', [delivery(long)])).toEqual({
    sent: `…${'x'.repeat(3)}","b":1,"a":"ü"}`,
    signed: `…${'x'.repeat(3)}","b":1,"a":"\\u00fc"}`,
  });
});

test('if no delivery distinguishes the two, there is nothing to show', () => {
  expect(sentAndSigned('json-compact', [delivery('{"a":1}')])).toBe(null);
});

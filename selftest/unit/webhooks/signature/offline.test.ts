import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { readCapture } from '../../../../webhooks/signature/offline.ts';
import { har, raw, standard } from './captures.ts';
import { deliver } from './deliveries.ts';

const bytes = (text: string): { name: string; bytes: Buffer } => ({ name: 'capture', bytes: Buffer.from(text) });
const essence = (deliveries: readonly Delivery[]): unknown =>
  deliveries.map(({ method, url, registeredUrl, headers, body }) => ({
    method,
    url,
    registeredUrl,
    headers: headers.filter(([name]) => name !== 'Content-Length'),
    body: body.toString(),
  }));

describe('a capture is read back to its deliveries', () => {
  const deliveries = deliver(standard);
  test('from a HAR', () => expect(readCapture(bytes(har(deliveries)))).toEqual(deliveries));
  test.for([
    ['\r\n', true],
    ['\r\n', false],
    ['\n', true],
    ['\n', false],
  ] as const)('from raw HTTP, line ending %j, with length %s', ([end, length]) => {
    expect(essence(readCapture(bytes(raw(deliveries, end, length))))).toEqual(essence(deliveries));
  });
  test('with bytes that are not text, and the separator inside the body', () => {
    const body = Buffer.from([0x00, 0xff, 0x0d, 0x0a, ...Buffer.from('### not the end\n'), 0xfe]);
    const file = Buffer.concat([
      Buffer.from(`POST /a HTTP/1.1\r\nHost: h.test\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
      Buffer.from('\r\n###\r\nPOST /b HTTP/1.1\r\nHost: h.test\r\n\r\n'),
    ]);
    expect(readCapture({ name: 'x', bytes: file }).map((one) => [one.registeredUrl, one.body])).toEqual([
      ['https://h.test/a', body],
      ['https://h.test/b', Buffer.alloc(0)],
    ]);
  });
  test('with a chunked body', () => {
    const file =
      'POST /a HTTP/1.1\r\nHost: h.test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n';
    expect(readCapture(bytes(file)).map(({ body }) => body.toString())).toEqual(['{"a":1}']);
  });
  test('only deliveries whose URL matches', () =>
    expect(readCapture({ ...bytes(har(deliveries)), only: 'tenant=7' })).toHaveLength(3));
});

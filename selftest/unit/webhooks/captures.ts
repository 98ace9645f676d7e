import type { Delivery } from '../../../webhooks/signature/delivery.ts';

/** Deliveries as a recorder keeps them. */
export const har = (deliveries: readonly Delivery[]): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'a recorder', version: '1' },
      entries: deliveries.map(({ method, registeredUrl, headers, body, receivedAt }) => ({
        startedDateTime: new Date(receivedAt).toISOString(),
        request: {
          method,
          url: registeredUrl,
          headers: headers.map(([name, value]) => ({ name, value })),
          postData: { mimeType: 'application/json', text: body.toString('utf8') },
        },
      })),
    },
  });

/** Deliveries as raw requests, one after the other. */
export const raw = (deliveries: readonly Delivery[], end: string, length: boolean): string =>
  deliveries
    .map(({ method, url, headers, body }) =>
      [
        `${method} ${url} HTTP/1.1`,
        ...headers.filter(([name]) => length || name !== 'Content-Length').map(([name, value]) => `${name}: ${value}`),
        '',
        body.toString('utf8'),
        '',
      ].join(end),
    )
    .join(`### next${end}`);

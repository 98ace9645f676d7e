import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { listenOnFreePort } from '../../../free-port.ts';

/** The input of a receiver's handler. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers with a status (and a Location). An exception becomes a 500, as in usual frameworks. */
export type Handler = (incoming: Incoming) => number | { readonly status: number; readonly location: string };

interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a handler on loopback. */
export async function serve(handler: Handler): Promise<Served> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        const answer = handler({
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks),
        });
        response.statusCode = typeof answer === 'number' ? answer : answer.status;
        if (typeof answer !== 'number') {
          response.setHeader('Location', answer.location);
        }
      } catch {
        response.statusCode = 500;
      }
      response.end();
    });
  });
  return {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}/hook?tenant=7`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const secrets = {
  text: "a receiver's secret, 2026",
  whsec: 'whsec_a+/9Zm1sQ2x4T3pUd1V2WHlaMDEyMzQ1Njc4OWFiY2Q=',
} as const;

export const header = ({ headers }: Incoming, name: string): string => String(headers[name] ?? '');
export const mac = (content: string | Buffer, hash = 'sha256', key: string = secrets.text): Buffer =>
  createHmac(hash, key).update(content).digest();
export const fresh = (ms: number): boolean => Math.abs(Date.now() - ms) <= 300_000;
const same = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** A correct handler around a verifier: POST only, signature first, then JSON. */
export const guarded =
  (verifies: (incoming: Incoming) => boolean): Handler =>
  (incoming) => {
    if (incoming.method !== 'POST') {
      return 405;
    }
    if (!verifies(incoming)) {
      return 401;
    }
    try {
      JSON.parse(incoming.body.toString('utf8'));
      return 204;
    } catch {
      return 400;
    }
  };

const content = (before: string, body: Buffer, after = ''): Buffer =>
  Buffer.concat([Buffer.from(before), body, Buffer.from(after)]);

export const github = (incoming: Incoming): boolean => {
  const [, hex = ''] = /^sha256=([0-9a-f]{64})$/.exec(header(incoming, 'x-hub-signature-256')) ?? [];
  return same(Buffer.from(hex, 'hex'), mac(incoming.body));
};

export const stripe = (incoming: Incoming): boolean => {
  const fields = header(incoming, 'stripe-signature')
    .split(',')
    .map((field) => field.split('='));
  const time = fields.find(([name]) => name === 't')?.[1] ?? '';
  if (!fresh(Number(time) * 1_000)) {
    return false;
  }
  const expected = mac(content(`${time}.`, incoming.body)).toString('hex');
  return fields.some(([name, value = '']) => name === 'v1' && same(Buffer.from(value), Buffer.from(expected)));
};

/** One correct receiver for each preset. */
export const correct: Readonly<
  Record<string, { readonly secret: string; readonly verifies: (incoming: Incoming, origin: string) => boolean }>
> = {
  'standard-webhooks': {
    secret: secrets.whsec,
    verifies: ({ headers, body }) => {
      try {
        new Webhook(secrets.whsec).verify(body.toString('utf8'), headers as Record<string, string>);
        return true;
      } catch {
        // The package parses the verified body. Malformed JSON is not a wrong signature, but is refused too.
        return false;
      }
    },
  },
  github: { secret: secrets.text, verifies: github },
  stripe: { secret: secrets.text, verifies: stripe },
  slack: {
    secret: secrets.text,
    verifies: (incoming) => {
      const time = header(incoming, 'x-slack-request-timestamp');
      return (
        fresh(Number(time) * 1_000) &&
        same(
          Buffer.from(header(incoming, 'x-slack-signature')),
          Buffer.from(`v0=${mac(content(`v0:${time}:`, incoming.body)).toString('hex')}`),
        )
      );
    },
  },
  shopify: {
    secret: secrets.text,
    verifies: (incoming) =>
      same(Buffer.from(header(incoming, 'x-shopify-hmac-sha256')), Buffer.from(mac(incoming.body).toString('base64'))),
  },
  'hubspot-v3': {
    secret: secrets.text,
    verifies: (incoming, origin) => {
      const time = header(incoming, 'x-hubspot-request-timestamp');
      const expected = mac(content(`${incoming.method}${origin}${incoming.url}`, incoming.body, time)).toString(
        'base64',
      );
      return (
        fresh(Number(time)) && same(Buffer.from(header(incoming, 'x-hubspot-signature-v3')), Buffer.from(expected))
      );
    },
  },
};

export const unkeyedHash = (body: Buffer): string =>
  createHash('sha256').update(secrets.text).update(body).digest('hex');

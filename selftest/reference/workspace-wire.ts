import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { DeliveryRequest } from '../../fixtures/reference/workspace/model.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { createVirtualClock } from '../virtual-clock.ts';

/** One call and its answer, decompressed. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Variation {
  readonly faults?: string[];
  readonly choices?: Record<string, string>;
}

interface Sent {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Wire {
  readonly settings: Readonly<Record<string, string>>;
  readonly deliveries: DeliveryRequest[];
  readonly exchanges: Exchange[];
  readonly log: string[];
  call(method: string, path: string, sent?: Sent): Promise<Exchange & { json: Record<string, unknown> }>;
  wait(ms: number): Promise<void>;
}

const objectOf = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
};

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

const decoded = (bytes: ArrayBuffer, coding: string | null): string =>
  (decoders[coding ?? ''] ?? Buffer.from)(new Uint8Array(bytes)).toString('utf8');

/** A reference deployment on a clock that costs nothing. Its receiver refuses every third delivery. */
export function createWire(variation: Variation = {}): Wire {
  const clock = createVirtualClock();
  const deliveries: DeliveryRequest[] = [];
  const exchanges: Exchange[] = [];
  const log: string[] = [];
  const deliver = async (request: DeliveryRequest): Promise<{ status: number }> => {
    deliveries.push(request);
    log.push(JSON.stringify([clock.now(), request]));
    return { status: deliveries.length % 3 === 0 ? 500 : 200 };
  };
  const { workspace, settings } = createReference({ clock, deliver, ...variation });
  return {
    settings,
    deliveries,
    exchanges,
    log,
    wait: (ms) => clock.sleep(ms),
    async call(method, path, { key = settings['WORKSPACE_API_KEY'] ?? '', body, headers = {} } = {}) {
      const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
      const request = new Request(`http://workspace.test${path}`, {
        method,
        ...content,
        headers: { 'Content-Type': 'application/json', ...authorization, ...headers },
      });
      const response = await workspace.fetch(request);
      const text = decoded(await response.arrayBuffer(), response.headers.get('Content-Encoding'));
      log.push(JSON.stringify([method, path, response.status, [...response.headers], text]));
      const exchange = { method, path, status: response.status, headers: response.headers, text };
      exchanges.push(exchange);
      return { ...exchange, json: objectOf(text) };
    },
  };
}

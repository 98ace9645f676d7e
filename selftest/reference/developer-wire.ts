import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { createVirtualClock } from '../virtual-clock.ts';

/** One call and its answer, decompressed. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Variation {
  readonly faults?: string[];
  readonly choices?: Record<string, string>;
}

interface Sent {
  readonly key: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A developer API on a clock on which waiting costs nothing, and a record of what was said. */
export interface Wire {
  readonly settings: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
  call(method: string, path: string, sent: Sent): Promise<Exchange & { json: Record<string, unknown> }>;
  wait(ms: number): Promise<void>;
  snapshot(): unknown;
}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

const objectOf = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
};

export function createWire(variation: Variation = {}): Wire {
  const clock = createVirtualClock();
  const exchanges: Exchange[] = [];
  const { developer } = createReference({ clock, deliver: async () => ({ status: 200 }), ...variation });
  return {
    settings: { ...developer.settings }, exchanges,
    wait: (ms) => clock.sleep(ms),
    snapshot: () => developer.snapshot(),
    async call(method, path, { key, body, headers = {} }) {
      const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
      const request = new Request(`http://developer.test${path}`, {
        method, ...content, headers: { 'Content-Type': 'application/json', ...(key === null ? {} : { 'X-API-Key': key }), ...headers },
      });
      const response = await developer.fetch(request);
      const coding = response.headers.get('Content-Encoding') ?? '';
      const text = (decoders[coding] ?? Buffer.from)(new Uint8Array(await response.arrayBuffer())).toString('utf8');
      const exchange = { method, path, key, status: response.status, headers: response.headers, text, at: clock.now() };
      exchanges.push(exchange);
      return { ...exchange, json: objectOf(text) };
    },
  };
}

const uuid = /\b([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f])[0-9a-f]{3}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{12}\b/gi;
const variant = (digit: string): string => (/[89ab]/i.test(digit) ? 'ok' : 'odd');
const letters = (text: string): string => (text === text.toLowerCase() ? 'lower' : 'upper');

/**
 * What went over the wire, with everything that is drawn at random replaced by the order of its first appearance: two
 * transcripts differ only where a client could tell the two deployments apart.
 */
export function transcriptOf(exchanges: readonly Exchange[]): string {
  const seen = new Map<string, number>();
  const ordinal = (text: string): number => seen.get(text) ?? (seen.set(text, seen.size), seen.size - 1);
  const blind = (text: string): string => text
    .replace(uuid, (whole, _, __, version: string, digit: string) => `uuid ${version} ${variant(digit)} ${letters(whole)} ${ordinal(whole)}`)
    .replace(/\b(svc[_-][a-z]+[_-])([0-9A-Za-z]{32})\b/g, (_, prefix: string, token: string) => `${prefix}${ordinal(token)}`)
    .replace(/\b(svc_[a-z]+_)[0-9A-Za-z]{4}\b/g, '$1hint')
    .replace(/\b([a-z]+_)([0-9A-Za-z]{16})\b/g, (_, prefix: string, token: string) => `${prefix}${ordinal(token)}`);
  return exchanges
    .map(({ method, path, status, headers, text, at }) => blind(JSON.stringify([at, method, path, status, [...headers], text])))
    .join('\n');
}

import type { Socket } from 'node:net';

/** A request that a hostile server has read completely. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  /** The key that it carries in any place; empty if none. */
  readonly key: string;
  /** Its number at this server, counted from 1. */
  readonly number: number;
  /** The origin of another server, which must not be called. */
  readonly elsewhere: string;
}

/** The answer of a conformant deployment to the request. */
export interface Good {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What a hostile server does on a connection with a request, instead of sending the good answer. */
export type Behaviour = (socket: Socket, good: Good, asked: Asked) => void;

/** The bytes of an answer. Content-Length is true, unless `headers` has a Content-Length or Transfer-Encoding. */
export function bytesOf(
  good: Pick<Good, 'status' | 'headers'>,
  body: string | Buffer,
  line = `HTTP/1.1 ${good.status} OK`,
): Buffer {
  const says = good.headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = says ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [line, ...good.headers.map(([name, value]) => `${name}: ${value}`), ...length, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body)]);
}

/** A change of the good answer. Header lines replace those of the same name. */
interface Change {
  readonly line?: string;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** Answers with the good answer changed. */
export const changed =
  (change: (good: Good, asked: Asked) => Change): Behaviour =>
  (socket, good, asked) => {
    const { line, status: code = good.status, headers = [], body = good.body } = change(good, asked);
    const names = new Set(headers.map(([name]) => name.toLowerCase()));
    const kept = good.headers.filter(([name]) => !names.has(name.toLowerCase()));
    socket.write(bytesOf({ status: code, headers: [...kept, ...headers] }, body, line));
  };

/** Answers with another body. */
export const saying = (make: (good: Good, asked: Asked) => string | Buffer): Behaviour =>
  changed((good, asked) => ({ body: make(good, asked) }));

/** Answers with other header lines. */
export const headed = (...headers: NonNullable<Change['headers']>): Behaviour => changed(() => ({ headers }));

/** Answers with a header line made from the request's key. */
export const inHeader = (name: string, write: (key: string) => string): Behaviour =>
  changed((_, { key }) => ({ headers: [[name, write(key)]] }));

/** Answers with additional fields, as JSON text, before those of the good body. */
export const withFields = (fields: string | ((asked: Asked) => string)): Behaviour =>
  saying(({ body }, asked) => {
    const more = typeof fields === 'string' ? fields : fields(asked);
    return body.startsWith('{"') ? `{${more},${body.slice(1)}` : `{${more}}`;
  });

/** Answers with every id replaced; `make` returns JSON text. */
export const ids = (make: (id: string, asked: Asked) => string): Behaviour =>
  saying(({ body }, asked) => body.replace(/"id":"([^"]*)"/g, (_, id: string) => `"id":${make(id, asked)}`));

/** Writes these bytes whatever the request; in a text, line ends become CRLF. */
export const raw =
  (text: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text.replace(/\r?\n/g, '\r\n'), 'latin1') : text);
  };

/** Answers with every value of the good JSON replaced. */
const revalued = (make: (name: string, value: unknown, asked: Asked) => unknown): Behaviour =>
  saying(({ body }, asked) =>
    JSON.stringify(body === '' ? {} : JSON.parse(body), (name, value: unknown) => make(name, value, asked)),
  );

/** Answers with every value under one of these names replaced. */
export const under = (names: RegExp, make: (key: string) => unknown): Behaviour =>
  revalued((name, value, { key }) => (names.test(name) ? make(key) : value));

/** Answers with every text of the good JSON replaced. */
export const texted = (text: string | ((asked: Asked) => string)): Behaviour => {
  const make = typeof text === 'string' ? (): string => text : text;
  return revalued((_, value, asked) => (typeof value === 'string' ? make(asked) : value));
};

import type { Socket } from 'node:net';

/** A request that a hostile server has read whole. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The key that it carries, wherever it stands; empty: none. */
  readonly key: string;
  /** Its number at this server, from 1. */
  readonly number: number;
  /** The origin of another server, to which nobody is to go. */
  readonly elsewhere: string;
}

/** What a conformant deployment answers to the request. */
export interface Good {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What a server does to a connection on which a request has come, in place of the good answer. */
export type Behaviour = (socket: Socket, good: Good, asked: Asked) => void;

/** The bytes of an answer. Content-Length is the truth, unless `headers` say something of the body's length. */
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

/** What of the good answer is another; header lines take the place of those of the same name. */
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

/** Answers with the good body and header lines behind another status line. */
export const begun = (line: string): Behaviour => changed(() => ({ line }));

/** Answers with another status, and more header lines. */
export const status = (code: number, ...headers: NonNullable<Change['headers']>): Behaviour =>
  changed(() => ({ status: code, headers }));

/** Answers with a body that is packed so, or said to be. */
export const packed = (coding: string, make: (body: string) => Buffer): Behaviour =>
  changed(({ body }) => ({ headers: [['Content-Encoding', coding]], body: make(body) }));

/** Answers with a header line made from the key that came. */
export const inHeader = (name: string, write: (key: string) => string): Behaviour =>
  changed((_, { key }) => ({ headers: [[name, write(key)]] }));

/** Answers with fields, as JSON text, before those of the good body. */
export const beside = (fields: string | ((asked: Asked) => string)): Behaviour =>
  saying(({ body }, asked) => {
    const more = typeof fields === 'string' ? fields : fields(asked);
    return body.startsWith('{"') ? `{${more},${body.slice(1)}` : `{${more}}`;
  });

/** Answers with every id made anew, as JSON text. */
export const ids = (make: (id: string, asked: Asked) => string): Behaviour =>
  saying(({ body }, asked) => body.replace(/"id":"([^"]*)"/g, (_, id: string) => `"id":${make(id, asked)}`));

/** Writes these bytes, whatever was asked; CRLF stands for every line end. */
export const raw =
  (text: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1') : text);
  };

/** Answers with every value of the good JSON made anew. */
const revalued = (make: (name: string, value: unknown, asked: Asked) => unknown): Behaviour =>
  saying(({ body }, asked) =>
    JSON.stringify(body === '' ? {} : JSON.parse(body), (name, value: unknown) => make(name, value, asked)),
  );

/** Answers with a value in place of each under one of these names. */
export const under = (names: RegExp, make: (key: string) => unknown): Behaviour =>
  revalued((name, value, { key }) => (names.test(name) ? make(key) : value));

/** Answers with a text in place of every text of the good JSON. */
export const texted = (text: string | ((asked: Asked) => string)): Behaviour =>
  revalued((_, value, asked) => (typeof value !== 'string' ? value : typeof text === 'string' ? text : text(asked)));

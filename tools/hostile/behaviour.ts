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

/** Answers with another body. */
export const saying =
  (make: (good: Good, asked: Asked) => string | Buffer): Behaviour =>
  (socket, good, asked) => {
    socket.write(bytesOf(good, make(good, asked)));
  };

/** Answers with other header lines beside the good ones; those of the same name are replaced. */
export const headed =
  (...lines: readonly (readonly [string, string])[]): Behaviour =>
  (socket, good) => {
    const names = new Set(lines.map(([name]) => name.toLowerCase()));
    const kept = good.headers.filter(([name]) => !names.has(name.toLowerCase()));
    socket.write(bytesOf({ status: good.status, headers: [...kept, ...lines] }, good.body));
  };

/** Answers with the good body and header lines behind another status line. */
export const begun =
  (line: string): Behaviour =>
  (socket, good) => {
    socket.write(bytesOf(good, good.body, line));
  };

/** Answers with another status and nothing else changed. */
export const status =
  (code: number, ...lines: readonly (readonly [string, string])[]): Behaviour =>
  (socket, good) => {
    socket.write(bytesOf({ status: code, headers: [...good.headers, ...lines] }, good.body));
  };

/** Writes these bytes, whatever was asked; CRLF stands for every line end. */
export const raw =
  (text: string | Buffer): Behaviour =>
  (socket) => {
    socket.write(typeof text === 'string' ? Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1') : text);
  };

/** Answers with a value put into the good JSON: every text of it, or its root where it is no JSON. */
export const texted = (text: string | ((asked: Asked) => string)): Behaviour =>
  saying(({ body }, asked) => {
    const value = typeof text === 'string' ? text : text(asked);
    const json: unknown = body === '' ? {} : JSON.parse(body);
    return JSON.stringify(json, (_, part: unknown) => (typeof part === 'string' ? value : part));
  });

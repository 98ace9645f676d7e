import { answer, type Case, good, send } from './hostile-servers.ts';

/** What a server may answer that is whole, and yet not what was asked for. */
export const oddAnswers: Readonly<Record<string, Case>> = {
  'answers 204': {
    behave: send('', { status: '204 No Content', headers: [], length: null }),
    comes: 204,
    isJson: false,
  },
  'answers 204 with a body': { behave: send(good, { status: '204 No Content' }), comes: 204, isJson: false },
  'answers 304': {
    behave: send('', { status: '304 Not Modified', headers: [], length: null }),
    comes: 304,
    isJson: false,
  },
  'answers 999': { behave: send(good, { status: '999 What' }), comes: 999, isJson: true },
  'redirects elsewhere': {
    behave: send('', { status: '302 Found', headers: ['Location: http://127.0.0.1:1/'] }),
    comes: 302,
    isJson: false,
  },
  'redirects to itself': {
    behave: send('', { status: '307 Temporary Redirect', headers: ['Location: /'] }),
    comes: 307,
    isJson: false,
  },
  'answers an HTML page': {
    behave: send('<!doctype html><title>Hello</title>', { headers: ['Content-Type: text/html'] }),
    comes: 200,
    isJson: false,
  },
  'answers text that is labelled JSON': { behave: send('all is well'), comes: 200, isJson: false },
  'answers JSON that is cut off': { behave: send('{"success":true,"data":'), comes: 200, isJson: false },
  'answers nothing at all in its body': { behave: send(''), comes: 200, isJson: false },
  'answers two JSON values': { behave: send(`${good}${good}`), comes: 200, isJson: false },
  'answers JSON nested a hundred thousand deep': {
    behave: send(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    comes: 'too-deep',
  },
  'answers JSON nested as deep as is taken': {
    behave: send(`${'{"a":'.repeat(499)}["]]]]{{{{", "\\\\\\"[[["]${'}'.repeat(499)}`),
    comes: 200,
    isJson: true,
  },
  'answers with a byte order mark': { behave: send(`\ufeff${good}`), comes: 200 },
  'answers invalid UTF-8': {
    behave: send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    comes: 200,
    isJson: false,
  },
  'answers UTF-16': { behave: send(Buffer.from(good, 'utf16le')), comes: 200, isJson: false },
  'answers with no headers': {
    behave: (socket) => {
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${good}`);
    },
    comes: 200,
    isJson: true,
  },
  'answers twice': {
    behave: (socket) => {
      socket.write(Buffer.concat([answer(good), answer('{"second":true}')]));
    },
    comes: 200,
    isJson: true,
  },
};

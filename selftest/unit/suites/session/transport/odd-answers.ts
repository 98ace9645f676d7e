import { answer, type Case, ending, good, send, writing } from './hostile-servers.ts';

/** Complete answers that are not what was asked for. */
export const oddAnswers: Readonly<Record<string, Case>> = {
  'answers 204': [send('', { status: '204 No Content', headers: [], length: null }), 204, false],
  'answers 204 with a body': [send(good, { status: '204 No Content' }), 204, false],
  'answers 304': [send('', { status: '304 Not Modified', headers: [], length: null }), 304, false],
  'answers 999': [send(good, { status: '999 What' }), 999, true],
  'redirects elsewhere': [send('', { status: '302 Found', headers: ['Location: http://127.0.0.1:1/'] }), 302, false],
  'redirects to itself': [send('', { status: '307 Temporary Redirect', headers: ['Location: /'] }), 307, false],
  'answers an HTML page': [
    send('<!doctype html><title>Hello</title>', { headers: ['Content-Type: text/html'] }),
    200,
    false,
  ],
  'answers text that is labelled JSON': [send('all is well'), 200, false],
  'answers JSON that is cut off': [send('{"success":true,"data":'), 200, false],
  'answers nothing at all in its body': [send(''), 200, false],
  'answers two JSON values': [send(`${good}${good}`), 200, false],
  'answers JSON nested a hundred thousand deep': [send(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), '200 too-deep'],
  'answers JSON nested as deep as is taken': [
    send(`${'{"a":'.repeat(499)}["]]]]{{{{", "\\\\\\"[[["]${'}'.repeat(499)}`),
    200,
    true,
  ],
  'answers with a byte order mark': [send(`\ufeff${good}`), 200],
  'answers invalid UTF-8': [send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 200, false],
  'answers UTF-16': [send(Buffer.from(good, 'utf16le')), 200, false],
  'answers with no headers': [ending(`HTTP/1.1 200 OK\r\n\r\n${good}`), 200, true],
  'answers twice': [writing(Buffer.concat([answer(good), answer('{"second":true}')])), 200, true],
};

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Asked, type Behaviour, bytesOf, type Good } from '../behaviour.ts';

const mebibyte = 1024 * 1024;
const longestMs = 20_000;
type Lines = readonly (readonly [string, string])[];
type Send = (bytes: Buffer | string) => void;

/**
 * Sends good answers, and attacks the receiver of every webhook that is registered. `open` returns a new connection to
 * it.
 */
const attacking =
  (attack: (open: () => Send, path: string, asked: Asked, good: Good) => void): Behaviour =>
  (socket, good, asked) => {
    socket.write(bytesOf(good, good.body));
    const [, port = '', path = ''] = /"http:\/\/127\.0\.0\.1:(\d+)(\/[^"]*)"/.exec(asked.body) ?? [];
    if (asked.method === 'POST' && port !== '') {
      const open = (): Send => {
        const connection = connect(Number(port), '127.0.0.1').on('error', () => {});
        connection.resume();
        connection.setTimeout(longestMs, () => connection.destroy()).unref();
        return (bytes) => connection.write(bytes);
      };
      attack(open, path, asked, good);
    }
  };
const request = (path: string, body: Buffer | string, lines: Lines = [], method = 'POST'): Buffer => {
  const type = lines.some(([name]) => /^content-type$/i.test(name)) ? [] : ['Content-Type: application/json'];
  const says = lines.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = says ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const own = lines.map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path} HTTP/1.1`, 'Host: receiver', ...type, ...length, ...own, '', ''];
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), Buffer.from(body)]);
};
/** Sends `count` deliveries, each on a connection of its own. */
const flood = (
  count: number,
  make: (index: number, asked: Asked, good: Good) => [Buffer | string, Lines?],
): Behaviour =>
  attacking((open, path, asked, good) => {
    for (let index = 0; index < count; index += 1) {
      open()(request(path, ...make(index, asked, good)));
    }
  });
const once = (body: Buffer | string, lines: Lines = []): Behaviour => flood(1, () => [body, lines]);
const event = (more: string): string => `{"id":"e1","type":"booking.created","event":"booking.created",${more}}`;
/** The secret in the registration or its answer. */
const secretOf = ({ body }: Asked, good: Good): string =>
  /"(?:\w*secret\w*|key)":"([^"]+)"/i.exec(body + good.body)?.[1] ?? 'none';

/** Deliveries that are numerous, large, broken or false. */
export const deliveries: Readonly<Record<string, Behaviour>> = {
  'two thousand at once': flood(2_000, (index) => [event(`"n":${index}`)]),
  'six hundred of 60 KiB': flood(600, (index) => [event(`"n":${index},"v":"${'v'.repeat(60_000)}"`)]),
  'fifty of almost a mebibyte': flood(50, (index) => [event(`"n":${index},"v":"${'v'.repeat(mebibyte - 200)}"`)]),
  'fifty of a hundred thousand values': flood(50, () => [event(`"v":[${'0,'.repeat(100_000)}0]`)]),
  'four hundred of nineteen thousand values': flood(400, () => [event(`"v":[${'0,'.repeat(19_000)}0]`)]),
  'four hundred of nine hundred digests': flood(400, (index) => [
    event(
      `"n":${index % 2},"signatures":[${Array.from({ length: 900 }, (_, n) => `"${String(n).padStart(40, '0')}"`)}]`,
    ),
  ]),
  'six hundred with 50 KiB of header lines': flood(600, (index) => [
    event(`"n":${index}`),
    Array.from({ length: 50 }, (_, line) => [`X-${line}`, 'h'.repeat(1_000)] as const),
  ]),
  'one of ten mebibytes': once(Buffer.alloc(10 * mebibyte, ' ')),
  'one that never ends': attacking((open, path) => {
    const send = open();
    send(request(path, '', [['Transfer-Encoding', 'chunked']]));
    const timer = setInterval(() => send(`1000\r\n${' '.repeat(4_096)}\r\n`), 1);
    setTimeout(() => clearInterval(timer), 3_000);
  }),
  'five hundred that never begin': attacking((open) => {
    for (let index = 0; index < 500; index += 1) {
      open()('P');
    }
  }),
  'a length that lies': once('{}', [['Content-Length', '9000']]),
  'a negative length': once('{}', [['Content-Length', '-1']]),
  'a length and chunks': once('2\r\n{}\r\n0\r\n\r\n', [
    ['Content-Length', '2'],
    ['Transfer-Encoding', 'chunked'],
  ]),
  'no HTTP': attacking((open) => open()(Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]))),
  'methods that nobody asked for': attacking((open, path) => {
    for (const method of ['DELETE', 'TRACE', 'CONNECT', 'OPTIONS', 'HEAD', 'M-SEARCH', 'PATCH']) {
      open()(request(path, '', [], method));
    }
  }),
  'paths beside its own': attacking((open, path) => {
    for (const one of [`${path}/../..`, `/..${path}`, '/', '*', `http://elsewhere.invalid${path}`, `${path}%00`]) {
      open()(request(one, event('"n":1')));
    }
  }),
  'lists 5,000 deep': once(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
  'NaN, and fields twice': once('{"type":"booking.created","type":"lead.routed","data":NaN}'),
  'fields named __proto__': once(event('"__proto__":{"type":"x"},"constructor":{"prototype":{"type":"y"}}')),
  'halves of surrogates, and controls': once(event('"\\ud800":"\\udfff\\u0000\\u001b[2J"')),
  'bytes that are no UTF-8': once(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x22])),
  'a form of fifty thousand fields': once('a=1&'.repeat(50_000), [
    ['Content-Type', 'application/x-www-form-urlencoded'],
  ]),
  'gzip of 64 MiB': once(gzipSync(Buffer.alloc(64 * mebibyte)), [['Content-Encoding', 'gzip']]),
  'XML that grows': once('<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>', [
    ['Content-Type', 'text/xml'],
  ]),
  'scripts and commands of runners': once(event('"v":"</script><script>alert(1)</script>\\n::error::owned\\n]]>"'), [
    ['X-Event', '::error::owned'],
    ['X-Signature', '</script><script>alert(1)</script>'],
  ]),
  'two hundred signatures': once(
    event('"n":1'),
    Array.from({ length: 200 }, (_, index) => [`X-Signature-${index}`, `t=${index},v1=${'ab'.repeat(32)}`] as const),
  ),
  'signatures of 60 KiB': once(event('"n":1'), [['X-Signature', `t=1,${'v1=ab,'.repeat(9_000)}`]]),
  'times beyond all bounds': once(event('"timestamp":1e400,"created":"+275760-09-13"'), [
    ['X-Timestamp', '9'.repeat(400)],
    ['Date', 'never'],
  ]),
  'the secret in body and header': flood(1, (_, asked, good) => [
    event(`"secret":"${secretOf(asked, good)}"`),
    [['X-Secret', Buffer.from(secretOf(asked, good)).toString('base64')]],
  ]),
  'the key in body and header': flood(1, (_, { key }) => [
    event(`"key":"${[...key].reverse().join('')}","again":"${Buffer.from(key).toString('hex')}"`),
    [['Authorization', `Bearer ${key}`]],
  ]),
  'a thousand handshakes': flood(1_000, (index) => [`{"challenge":"${'c'.repeat(5_000)}${index}"}`]),
  'six hundred secrets handed over': flood(600, (index) => ['', [['X-Hook-Secret', `hook-secret-${index}-abcdefgh`]]]),
  'a challenge with header lines in it': flood(1, () => ['{"challenge":"a\\r\\nSet-Cookie: a=b"}']),
};

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Asked, type Behaviour, bytesOf, type Good } from './behaviour.ts';

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

const request = (path: string, body: Buffer | string, lines: Lines = []): Buffer => {
  const says = lines.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = says ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const own = lines.map(([name, value]) => `${name}: ${value}`);
  const head = [`POST ${path} HTTP/1.1`, 'Host: receiver', 'Content-Type: application/json', ...length, ...own, '', ''];
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
  'fifty of almost a mebibyte': flood(50, (index) => [event(`"n":${index},"v":"${'v'.repeat(mebibyte - 200)}"`)]),
  'fifty of a hundred thousand values': flood(50, () => [event(`"v":[${'0,'.repeat(100_000)}0]`)]),
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
  'paths beside its own': attacking((open, path) => {
    for (const one of [`${path}/../..`, `/..${path}`, '/', '*', `http://elsewhere.invalid${path}`, `${path}%00`]) {
      open()(request(one, event('"n":1')));
    }
  }),
  'gzip of 64 MiB': once(gzipSync(Buffer.alloc(64 * mebibyte)), [['Content-Encoding', 'gzip']]),
  'scripts and commands of runners': once(event('"v":"</script><script>alert(1)</script>\\n::error::owned\\n]]>"'), [
    ['X-Event', '::error::owned'],
    ['X-Signature', '</script><script>alert(1)</script>'],
  ]),
  'two hundred signatures': once(
    event('"n":1'),
    Array.from({ length: 200 }, (_, index) => [`X-Signature-${index}`, `t=${index},v1=${'ab'.repeat(32)}`] as const),
  ),
  'the secret in body and header': flood(1, (_, asked, good) => [
    event(`"secret":"${secretOf(asked, good)}"`),
    [['X-Secret', Buffer.from(secretOf(asked, good)).toString('base64')]],
  ]),
  'a thousand handshakes': flood(1_000, (index) => [`{"challenge":"${'c'.repeat(5_000)}${index}"}`]),
};

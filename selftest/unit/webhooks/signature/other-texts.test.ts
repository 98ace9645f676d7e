import { expect, test } from 'vitest';
import { discoverAmong } from '../../../../webhooks/signature/discover.ts';
import { otherTexts } from '../../../../webhooks/signature/other-texts.ts';
import { deliver, found, hmac, plain, type Sender, sendingOf, whsec } from '../deliveries.ts';

const note = String.raw`Zürich & <b>\"№\"</b> 😀 it's a/b`;
const compact = (n: number): string => `{"type":"booking.created","data":{"id":"bk_${n}","amount":1},"a":"${note}"}`;
const spaced = (text: string): string => text.replaceAll('":', '": ').replaceAll(',"', ', "');
const inHex = (one: string): string => String.raw`\u` + one.charCodeAt(0).toString(16).padStart(4, '0');
const ascii = (text: string): string => text.replace(/[\u0080-\uffff]/g, inHex);
/** The same with sorted fields. */
const sorted = (sent: string, data = `{"amount":1,"id":"${/bk_\d+/.exec(sent)}"}`): string =>
  `{"a":"${note}","data":${data},"type":"booking.created"}`;

// That it is written anew as compact JSON, ./discover.test.ts shows.
test.for<[words: string, write: (sent: string) => string | Buffer]>([
  ['body as compact JSON in ASCII', ascii],
  ['body as JSON indented by 2', (sent) => JSON.stringify(JSON.parse(sent), null, 2)],
  ['body as JSON with blanks with sorted keys in ASCII', (sent) => spaced(ascii(sorted(sent)))],
  [
    'body as compact JSON in ASCII with escaped slashes, as PHP json_encode writes it',
    (sent) => ascii(sent).replaceAll('/', String.raw`\/`),
  ],
  [
    'body as compact JSON with escaped slashes, as PHP writes it with JSON_UNESCAPED_UNICODE',
    (sent) => sent.replaceAll('/', String.raw`\/`),
  ],
  // grnhse/greenhouse-api-docs#276.
  ['body as compact JSON with escaped <, > and &, as Go and Rails write it', (sent) => sent.replace(/[<>&]/g, inHex)],
  // The default charset of Java before JDK 18 (JEP 400).
  ['body with a question mark for each character that is not ASCII', (sent) => sent.replace(/[^\0-\x7f]/gu, '?')],
  // publicmediaplatform/pmp-issues#49.
  ['body in Latin-1', (sent) => Buffer.from(sent, 'latin1')],
  ['body with a newline added', (sent) => `${sent}\n`],
  ['text [object Object] in place of the body', () => '[object Object]'],
  ['body written as JSON once more', (sent) => JSON.stringify(sent)],
  ['field data of the body alone', (sent) => JSON.stringify((JSON.parse(sent) as { data: unknown }).data)],
  ['first 64 bytes of the body', (sent) => Buffer.from(sent).subarray(0, 64)],
])('what is signed in place of the sent bytes has words: %s', ([words, write]) => {
  const sent = compact(0);
  const signed = Buffer.from(write(sent));
  const known = otherTexts(Buffer.from(sent), JSON.parse(sent));
  expect(known.find(({ text }) => text.equals(signed))).toEqual({ words, text: signed });
});

// adcontextprotocol/adcp#2464: json.dumps is signed with blanks, and httpx writes the same JSON without them.
test('it is found behind an id and a time, as of Standard Webhooks, also where it is not known which of two secrets is used', () => {
  const sender: Sender = ({ id, s, body }) => ({
    'webhook-id': id,
    'webhook-timestamp': s,
    'webhook-signature': `v1,${hmac(Buffer.from(whsec.slice(6), 'base64'), `${id}.${s}.${spaced(ascii(body))}`, 'base64')}`,
  });
  const sendings = [0, 1, 2].map((n) => sendingOf(n, compact(n)));
  const { secret, discovery } = discoverAmong(deliver(sender, sendings), [plain, whsec]);
  expect([secret, discovery]).toMatchObject([
    whsec,
    {
      kind: 'other-text',
      says: expect.stringContaining('the body as JSON with blanks in ASCII.'),
      isCanonical: false,
    },
  ]);
});

test('canonical JSON is told apart, since receivers can rebuild it', () => {
  const one = found(({ body }) => ({ 'X-Signature': hmac(plain, sorted(body)) }), compact);
  expect(one).toMatchObject({
    kind: 'other-text',
    says: expect.stringContaining('the body as compact JSON with sorted keys.'),
    isCanonical: true,
  });
});

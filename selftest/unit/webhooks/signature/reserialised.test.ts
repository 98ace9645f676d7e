import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { describeDiscovery } from '../../../../webhooks/signature/describe-discovery.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { deliver, plain, type Sending, sendingOf } from './deliveries.ts';

/** Text as people write it: letters outside ASCII and Latin-1, `&`, `<`, quotes of both kinds, a slash and an emoji. */
const note = String.raw`Zürich & <b>\"№\"</b> 😀 it's a/b`;
const compact = (n: number): string => `{"type":"booking.created","data":{"id":"bk_${n}","note":"${note}"}}`;
const spaced = (n: number): string => `{"type": "booking.created", "data": {"id": "bk_${n}",  "note": "${note}"}}`;

type Write = (sent: string) => string | Buffer;

/** Signs what `write` makes of the body, with the time before it. */
const formOf = (body: (n: number) => string, write: Write): string => {
  const sender = ({ s, body: sent }: Sending): Record<string, string> => ({
    'X-Timestamp': s,
    'X-Signature': createHmac('sha256', plain).update(`${s}.`).update(write(sent)).digest('hex'),
  });
  const found = discoverScheme(
    deliver(
      sender,
      [0, 1].map((n) => sendingOf(n, body(n))),
    ),
    plain,
  );
  return found.kind === 're-serialised' ? found.form : found.kind;
};

const hex = (one: string): string => one.charCodeAt(0).toString(16).padStart(4, '0');
const escaping =
  (set: RegExp, upper = false): Write =>
  (sent) =>
    sent.replace(set, (one) => String.raw`\u` + (upper ? hex(one).toUpperCase() : hex(one)));
const lossy = (sent: string, most: number): Buffer =>
  Buffer.from([...sent].map((one) => ((one.codePointAt(0) ?? 0) > most ? '?' : one)).join(''), 'latin1');

describe('a signature over a text other than the sent bytes is reported', () => {
  test.for<[string, Write, string?]>([
    ['json-ascii', escaping(/[\u0080-\uffff]/g), 'ascii-escaped'],
    ['ascii-escaped-upper', escaping(/[\u0080-\uffff]/g, true), 'ascii-escaped-upper'],
    ['json-html', escaping(/[<>&]/g), 'html-escaped'],
    ['json-html-ascii', escaping(/[<>&\u0080-\uffff]/g)],
    ['json-html-full', escaping(/[<>&']/g), 'html-escaped-full'],
    ['json-php', (sent) => String(escaping(/[\u0080-\uffff]/g)(sent)).replaceAll('/', String.raw`\/`)],
    ['json-php-utf8', (sent) => sent.replaceAll('/', String.raw`\/`), 'slashes-escaped'],
    [
      'json-dotnet',
      (sent) => String(escaping(/[<>&'\u0080-\uffff]/g, true)(sent.replaceAll(String.raw`\"`, String.raw`\u0022`))),
    ],
    [
      'html-entities',
      (sent) => sent.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      'html-entities',
    ],
    [
      'html-entities-all',
      (sent) =>
        sent
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;')
          .replaceAll("'", '&#39;'),
      'html-entities-all',
    ],
    ['latin1', (sent) => Buffer.from(sent, 'latin1'), 'latin1'],
    ['latin1-lossy', (sent) => lossy(sent, 0xff), 'latin1-lossy'],
    ['ascii-lossy', (sent) => lossy(sent, 0x7f), 'ascii-lossy'],
    ['utf8-twice', (sent) => Buffer.from(Buffer.from(sent).toString('latin1'), 'utf8'), 'utf8-twice'],
    ['utf-16', (sent) => Buffer.from(sent, 'utf16le'), 'utf-16'],
    ['decomposed', (sent) => sent.normalize('NFD'), 'decomposed'],
    ['json-pretty-2', (sent) => JSON.stringify(JSON.parse(sent), null, 2), 'json-pretty-2'],
    [
      'json-python-utf8',
      (sent) => spaced(Number(/bk_(\d)/.exec(sent)?.[1])).replace(',  "note"', ', "note"'),
      'json-python-utf8',
    ],
  ])('%s', ([form, write, whereSpaced]) => {
    expect(formOf(compact, write)).toBe(form);
    if (whereSpaced !== undefined) {
      expect(formOf(spaced, write)).toBe(whereSpaced);
    }
  });

  test('and nothing is reported if the sent bytes are signed', () => {
    expect([formOf(compact, (sent) => sent), formOf(spaced, (sent) => sent)]).toEqual(['verified', 'verified']);
  });

  test('in the sentence of the finding', () => {
    const found = discoverScheme(
      deliver(
        ({ body }) => ({ 'X-Signature': createHmac('sha256', plain).update(body, 'latin1').digest('hex') }),
        [0, 1].map((n) => sendingOf(n, compact(n))),
      ),
      plain,
    );
    expect(describeDiscovery(found)).toBe(
      'Signed over different bytes than those sent: the body in Latin-1. Receivers that verify the raw body reject it',
    );
  });
});

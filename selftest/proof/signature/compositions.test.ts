import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { verify } from '../../../webhooks/signature/verify.ts';
import {
  base64Secret,
  deliver,
  hexSecret,
  hmac,
  plain,
  type Sender,
  type Sending,
  sendingOf,
  whsec,
} from '../../unit/webhooks/signature/deliveries.ts';

/** Senders that a person could write: any composition of ingredients, in any encoding and form of header. */
type Unit = 'method' | 'address' | 'time' | 'id' | 'sequence' | 'event';

const hash = (text: string, encoding: 'hex' | 'base64'): string => createHash('sha256').update(text).digest(encoding);
const pad = (count: number): string => String(count).padStart(2, '0');

/** A time in one of the forms that services use. */
const times: Readonly<Record<string, (at: number) => string>> = {
  seconds: (at) => String(Math.floor(at / 1_000)),
  milliseconds: (at) => String(at),
  microseconds: (at) => `${at}417`,
  float: (at) => (at / 1_000).toFixed(3),
  hexadecimal: (at) => Math.floor(at / 1_000).toString(16),
  iso: (at) => new Date(at).toISOString(),
  offset: (at) => new Date(at).toISOString().replace(/\.\d+Z/, '+00:00'),
  compact: (at) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, ''),
  http: (at) => new Date(at - 4_000).toUTCString(),
  mail: (at) => new Date(at - 4_000).toUTCString().replace('GMT', '+0000'),
};
const inHeaderOfSignature = ['seconds', 'milliseconds', 'float', 'hexadecimal', 'iso', 'compact'];

const addresses: Readonly<Record<string, (joiner: string) => string>> = {
  path: () => '/inbox',
  'path and query': () => '/inbox?tenant=7',
  url: () => 'https://hooks.example.test/inbox?tenant=7',
  'host and path': (joiner) => `hooks.example.test${joiner}/inbox?tenant=7`,
};

const bodies: Readonly<Record<string, (body: string) => string>> = {
  raw: (body) => body,
  hex: (body) => hash(body, 'hex'),
  base64: (body) => hash(body, 'base64'),
};

const digests: Readonly<Record<string, (hex: string) => string>> = {
  hex: (hex) => hex,
  upper: (hex) => hex.toUpperCase(),
  colons: (hex) => hex.match(/../g)?.join(':') ?? '',
  base64: (hex) => Buffer.from(hex, 'hex').toString('base64'),
  base64url: (hex) => Buffer.from(hex, 'hex').toString('base64url'),
  'base64 of hex': (hex) => Buffer.from(hex).toString('base64'),
};

/** The forms of signature and time in one header; without a time, the later forms equal the first. */
const headers: Readonly<Record<string, (signature: string, time: string) => string>> = {
  bare: (signature) => signature,
  labelled: (signature) => `sha256=${signature}`,
  versioned: (signature) => `v1,${signature}`,
  fields: (signature, time) => `t=${time},v1=${signature}`,
  semicolons: (signature, time) => `ts=${time};h1=${signature}`,
  behind: (signature, time) => `${signature},${time}`,
};

const keys = [
  [plain, plain],
  [whsec, whsec],
  [whsec, Buffer.from(whsec.slice(6), 'base64')],
  [base64Secret, Buffer.from(base64Secret, 'base64')],
  [hexSecret, Buffer.from(hexSecret, 'hex')],
] as const;

interface Drawn {
  readonly units: readonly Unit[];
  readonly bodyAt: number;
  readonly joiner: string;
  readonly time: string;
  readonly address: string;
  readonly body: string;
  readonly digest: string;
  readonly header: string;
  readonly key: (typeof keys)[number];
}

const draw = fc
  .record({
    units: fc.shuffledSubarray<Unit>(['method', 'address', 'time', 'id', 'sequence', 'event'], { maxLength: 4 }),
    bodyAt: fc.nat(4),
    joiner: fc.constantFrom('', '.', ':', '\n', '|'),
    time: fc.constantFrom(...Object.keys(times)),
    address: fc.constantFrom(...Object.keys(addresses)),
    body: fc.constantFrom(...Object.keys(bodies)),
    digest: fc.constantFrom(...Object.keys(digests)),
    header: fc.constantFrom(...Object.keys(headers)),
    key: fc.constantFrom(...keys),
  })
  .map((drawn): Drawn => {
    // Four ingredients besides the body: the method before the URL, and the body last.
    const large = drawn.units.length > 3;
    const [method, address] = [drawn.units.indexOf('method'), drawn.units.indexOf('address')];
    const units =
      large && address >= 0 && address < method
        ? drawn.units.with(address, 'method').with(method, 'address')
        : drawn.units;
    const bodyAt = large ? units.length : drawn.bodyAt % (units.length + 1);
    const shares = units.includes('time') && inHeaderOfSignature.includes(drawn.time);
    return {
      ...drawn,
      units,
      bodyAt,
      header: shares ? drawn.header : drawn.header.replace(/fields|semicolons|behind/, 'bare'),
    };
  });

function senderOf({ units, bodyAt, joiner, time, address, body, digest, header, key: [, key] }: Drawn): Sender {
  return (sending: Sending) => {
    const moment = times[time]?.(sending.at) ?? '';
    const texts: Readonly<Record<Unit, string>> = {
      method: 'POST',
      address: addresses[address]?.(joiner) ?? '',
      time: moment,
      id: `msg_${pad(sending.n)}Zr4e${sending.n}`,
      sequence: String(40 + sending.n),
      event: 'booking.created',
    };
    const content = units.map((unit) => texts[unit]).toSpliced(bodyAt, 0, bodies[body]?.(sending.body) ?? '');
    const signature = digests[digest]?.(hmac(key, content.join(joiner))) ?? '';
    const value = headers[header]?.(signature, moment) ?? '';
    const own: Readonly<Partial<Record<Unit, string>>> = {
      time: 'X-Sent-At',
      id: 'X-Delivery-Id',
      sequence: 'X-Sequence',
      event: 'X-Event-Type',
    };
    const carried = units.flatMap((unit): [string, string][] => {
      const name = unit === 'time' && value.includes(moment) ? undefined : own[unit];
      return name === undefined ? [] : [[name, texts[unit]]];
    });
    return { ...Object.fromEntries(carried), 'X-Webhook-Signature': value };
  };
}

/** The variable RUNS sets more; a thousand take some minutes. */
const runs = Number(process.env.RUNS ?? 12);

test('any composition of ingredients is discovered, in any encoding and form of header', { timeout: 3_600_000 }, () => {
  fc.assert(
    fc.property(draw, (drawn) => {
      const deliveries = deliver(senderOf(drawn), [sendingOf(0), sendingOf(1)]);
      const [secret] = drawn.key;
      const found = discoverScheme(deliveries, secret);
      expect(found.kind).toBe('verified');
      const tampered = deliveries.map((one) => ({ ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) }));
      expect('scheme' in found && tampered.some((one) => verify(found.scheme, one, secret).verified)).toBe(false);
    }),
    { numRuns: runs },
  );
});

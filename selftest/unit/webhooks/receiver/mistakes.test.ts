import { timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkReceiver, createSigner, type ReceiverReport } from '../../../../webhooks/receiver/check.ts';
import { probes } from '../../../../webhooks/receiver/probes.ts';
import { type PresetName, presets } from '../../../../webhooks/signature/presets.ts';
import {
  content,
  correct,
  github,
  guarded,
  type Handler,
  header,
  type Incoming,
  mac,
  secrets,
  serve,
  stripe,
  unkeyedHash,
} from './receivers.ts';

async function report(preset: PresetName, handler: Handler): Promise<ReceiverReport> {
  const served = await serve(handler);
  const secret = preset === 'standard-webhooks' ? secrets.whsec : secrets.text;
  const options = { url: served.url, schemeName: preset, scheme: presets[preset], secret, restartMs: 10 };
  const said = await checkReceiver({ ...options, intermediary: ({ headers }) => new Map(headers).get('cf-mitigated') });
  served.close();
  return said;
}

const ofVerdict = ({ checks }: ReceiverReport, wanted: string): string[] =>
  checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);

test.for(Object.entries(correct))('a correct receiver passes every check: %s', async ([preset, verifies]) => {
  const said = await report(preset as PresetName, guarded(verifies));
  expect([ofVerdict(said, 'fail'), ofVerdict(said, 'inconclusive'), said.verifies]).toEqual([[], [], true]);
  expect(said.checks.length).toBeGreaterThan(17);
  expect(said.notTested.join()).toContain('constant-time comparison: not tested');
});

const signature = (incoming: Incoming): string => header(incoming, 'x-hub-signature-256');
const hex = (body: Buffer | string, hash = 'sha256', key?: string): string => mac(body, hash, key).toString('hex');
const mustReject = (preset: PresetName): string[] => {
  const signer = createSigner({ scheme: presets[preset], secret: secrets.text, url: 'http://127.0.0.1:1/' });
  return probes.filter(({ expects, build }) => expects === 'reject' && build(signer) !== undefined).map(({ id }) => id);
};

/** A preset, a receiver with the mistake, and the checks that must fail. */
type Mistake = readonly [PresetName, Handler, ...checks: readonly string[]];
const ofGithub = (handler: Handler, ...checks: string[]): Mistake => ['github', handler, ...checks];
const ofStripe = (handler: Handler, ...checks: string[]): Mistake => ['stripe', handler, ...checks];

/** Takes what GitHub's receiver takes, and deliveries with this signature. */
const alsoTaking = (signed: (body: Buffer) => string): Handler =>
  guarded((one) => github(one) || signature(one) === signed(one.body));

/** Verifies a signature of Stripe's after changing the header. */
const changed = (one: Incoming, change: (sent: string) => string): boolean =>
  stripe({ ...one, headers: { ...one.headers, 'stripe-signature': change(header(one, 'stripe-signature')) } });
/** Uses only these parts of Stripe's header. */
const reading = (pattern: RegExp, kept: string): Handler =>
  guarded((one) => changed(one, (sent) => sent.replace(pattern, kept)));
const reserialised: Handler = guarded((one) => {
  try {
    return signature(one) === `sha256=${hex(JSON.stringify(JSON.parse(one.body.toString())))}`;
  } catch {
    return false;
  }
});

const ignoringTime: Handler = guarded((one) => {
  const [, time = ''] = /^t=(\d+),/.exec(header(one, 'stripe-signature')) ?? [];
  return header(one, 'stripe-signature').includes(`v1=${hex(content(`${time}.`, one.body))}`);
});

const latin1 = (one: Incoming): Incoming => ({ ...one, body: Buffer.from(one.body.toString('latin1')) });
const begins = (one: Incoming, length: number): boolean =>
  signature(one).slice(0, length) === `sha256=${hex(one.body)}`.slice(0, length);
const throwing = (one: Incoming): boolean =>
  timingSafeEqual(Buffer.from(signature(one)), Buffer.from(`sha256=${hex(one.body)}`));

const mistakes: Readonly<Record<string, Mistake>> = {
  'verifies nothing, under a scheme with a timestamp': ofStripe(() => 200, ...mustReject('stripe')),
  'rejects everything': ofGithub(() => 401, 'valid'),
  'fails open without the header': ofGithub(
    guarded((one) => github(one) || signature(one) === ''),
    ...['no-signature', 'empty-signature'],
  ),
  'compares only as many characters as arrived': ofGithub(
    guarded((one) => begins(one, signature(one).length)),
    ...['no-signature', 'empty-signature', 'half-signature'],
  ),
  'compares the first ten characters': ofGithub(
    guarded((one) => begins(one, 17)),
    ...['half-signature', 'one-character'],
  ),
  'verifies reserialised JSON': ofGithub(reserialised, 'spaced-json-body', 're-serialised-body', 'newline-added'),
  'reads the body as Latin-1': ofGithub(
    guarded((one) => github(latin1(one))),
    'non-ascii-body',
  ),
  'takes the algorithm from the header': ofGithub(
    alsoTaking((body) => `sha1=${hex(body, 'sha1')}`),
    'sha1',
  ),
  'falls back to an empty secret': ofGithub(
    alsoTaking((body) => `sha256=${hex(body, 'sha256', '')}`),
    'empty-key',
  ),
  'falls back to an undefined secret': ofGithub(
    alsoTaking((body) => `sha256=${hex(body, 'sha256', 'undefined')}`),
    'undefined-key',
  ),
  'accepts a plain hash of secret and body': ofGithub(
    alsoTaking((body) => `sha256=${unkeyedHash(body)}`),
    'unkeyed',
  ),
  'throws on a signature of another length': ofGithub(
    guarded(throwing),
    ...['no-signature', 'empty-signature', 'half-signature', 'not-ascii', 'sha1'],
  ),
  'requires exactly application/json': ofGithub(
    (one) => (header(one, 'content-type') === 'application/json' ? guarded(github)(one) : 415),
    'charset-parameter',
  ),
  'redirects rejected deliveries': ofGithub(
    (one) => (github(one) ? guarded(github)(one) : 302),
    ...mustReject('github'),
  ),
  'ignores the time': ofStripe(ignoringTime, 'stale'),
  'reads the first signature only': ofStripe(reading(/^(t=\d+,v1=[^,]*).*/, '$1'), 'wrong-then-right'),
  'reads the last signature only': ofStripe(reading(/^(t=\d+,).*(v1=[^,]*)$/, '$1$2'), 'right-then-wrong'),
};

test.for(Object.entries(mistakes))('fails its own checks and no others: a receiver that %s', async ([, mistake]) => {
  const [preset, handler, ...expected] = mistake;
  const said = await report(preset, handler);
  expect(ofVerdict(said, 'fail').sort()).toEqual(expected.sort());
  expect(said.verifies).toBe(false);
});

describe('the summary', () => {
  let [count, wrong] = [0, 0];
  test.for<[string, Handler, boolean | null, RegExp]>([
    ['accepts everything', () => 200, false, /accepts everything/],
    ['rejects everything', () => 401, false, /rejects everything/],
    [
      'takes certain events alone',
      (one) => (guarded(github)(one) === 204 ? 422 : 401),
      null,
      /got 422; .* got 401, so it takes the signature/,
    ],
    [
      'wants what GitHub sends',
      (one) => (header(one, 'x-github-event') ? guarded(github)(one) : 400),
      true,
      /^It verifies/,
    ],
    ['is none', () => 404, null, /Is this the receiver's URL/],
    [
      'limits requests',
      (one) => ((count += 1) > 20 ? 429 : guarded(github)(one)),
      null,
      /^Cannot be decided: after \S+ valid deliveries got 429: the receiver limits requests/,
    ],
    [
      'bans who sends five wrong signatures (fail2ban)',
      (one) => (wrong >= 5 ? 403 : github(one) ? 200 : ((wrong += 1), 401)),
      null,
      /^Cannot be decided: after \S+ valid deliveries got 403: it may shut out/,
    ],
    ['adds a slash (Django)', () => [307, { location: '/hook/' }], null, /got 307, \/hook\/\. Is this/],
    [
      "is behind Cloudflare's bot protection",
      () => [403, { 'cf-mitigated': 'challenge' }],
      null,
      /403 of challenge; exempt/,
    ],
    ['answers 202 before it verifies', () => 202, null, /^Cannot be decided: 202: taken before it is verified/],
    [
      'breaks before it verifies',
      ({ body }) => (/[^\0-\x7f]/.test(`${body}`) ? 500 : 202),
      false,
      /^It neither accepts nor refuses/,
    ],
    [
      'takes no large bodies',
      (one) => (one.body.length > 9_999 ? 413 : guarded(github)(one)),
      false,
      /refuses valid .* large/,
    ],
    ['answers 202 to what it took', (one) => (guarded(github)(one) === 204 ? 202 : 401), true, /^It verifies/],
  ])('of a receiver that %s', async ([, handler, verifies, says]) => {
    const said = await report('github', handler);
    expect([said.verifies, said.summary]).toEqual([verifies, [expect.stringMatching(says)]]);
  });

  test('of a receiver that stops answering names the delivery after which it does so', async () => {
    // An unguarded timingSafeEqual ends the process, as in Infisical 6127.
    const served = await serve((one) => {
      if (signature(one).length !== 71) {
        served.close();
        throw new Error('the process ends');
      }
      return guarded(github)(one);
    });
    const options = { schemeName: 'github', scheme: presets.github, secret: secrets.text, restartMs: 10 };
    const said = await checkReceiver({ url: served.url, ...options });
    expect([said.verifies, said.summary]).toEqual([false, ['It stops answering after no-signature']]);
  });
});

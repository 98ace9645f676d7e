import { timingSafeEqual } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkReceiver, type ReceiverReport } from '../../../../webhooks/receiver/check.ts';
import { probes } from '../../../../webhooks/receiver/probes.ts';
import { createSigner } from '../../../../webhooks/receiver/sign.ts';
import { type PresetName, presets } from '../../../../webhooks/signature/scheme.ts';
import { hash, hmac, plain, whsec } from '../deliveries.ts';
import { correct, github, guarded, type Handler, header, type Incoming, serve, stripe } from './receivers.ts';

async function report(preset: PresetName, handler: Handler): Promise<ReceiverReport> {
  const served = await serve(handler);
  const secret = preset === 'standard-webhooks' ? whsec : plain;
  const said = await checkReceiver({
    url: served.url,
    schemeName: preset,
    scheme: presets[preset],
    secret,
    restartMs: 10,
  });
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
const hex = (body: Buffer | string): string => hmac(plain, body);
const mustReject = (preset: PresetName): string[] => {
  const signer = createSigner({ scheme: presets[preset], secret: plain, url: 'http://127.0.0.1:1/' });
  return probes.filter(({ expects, build }) => expects === 'reject' && build(signer) !== undefined).map(({ id }) => id);
};

/** A preset, the checks that must fail, and a receiver with the mistake. */
type Mistake = readonly [PresetName, checks: readonly string[], Handler];

/** A receiver of GitHub's deliveries that takes these. */
const taking = (checks: readonly string[], takes: (one: Incoming) => boolean): Mistake => [
  'github',
  checks,
  guarded(takes),
];
/** One that takes what it should, and deliveries with this signature. */
const alsoTaking = (check: string, signed: (body: Buffer) => string): Mistake =>
  taking([check], (one) => github(one) || signature(one) === signed(one.body));
/** A receiver of Stripe's deliveries that uses only these parts of the header. */
const reading = (check: string, pattern: RegExp, kept: string): Mistake => [
  'stripe',
  [check],
  guarded((one) => {
    const sent = header(one, 'stripe-signature').replace(pattern, kept);
    return stripe({ ...one, headers: { ...one.headers, 'stripe-signature': sent } });
  }),
];

const begins = (one: Incoming, length: number): boolean =>
  signature(one).slice(0, length) === `sha256=${hex(one.body)}`.slice(0, length);
const reserialised = (one: Incoming): boolean => {
  try {
    return signature(one) === `sha256=${hex(JSON.stringify(JSON.parse(one.body.toString())))}`;
  } catch {
    return false;
  }
};
const ignoringTime = (one: Incoming): boolean => {
  const [, time = ''] = /^t=(\d+),/.exec(header(one, 'stripe-signature')) ?? [];
  return header(one, 'stripe-signature').includes(`v1=${hex(Buffer.concat([Buffer.from(`${time}.`), one.body]))}`);
};
const throwing = (one: Incoming): boolean =>
  timingSafeEqual(Buffer.from(signature(one)), Buffer.from(`sha256=${hex(one.body)}`));
const judged = guarded(github);
const typed: Handler = (one) => (header(one, 'content-type') === 'application/json' ? judged(one) : 415);
const none = ['no-signature', 'empty-signature'];

const mistakes: Readonly<Record<string, Mistake>> = {
  'verifies nothing, under a scheme with a timestamp': ['stripe', mustReject('stripe'), () => 200],
  'compares only as many characters as arrived': taking([...none, 'half-signature'], (one) =>
    begins(one, signature(one).length),
  ),
  'compares the first ten characters': taking(['half-signature', 'one-character'], (one) => begins(one, 17)),
  'verifies reserialised JSON': taking(['spaced-json-body', 're-serialised-body', 'newline-added'], reserialised),
  'reads the body as Latin-1': taking(['non-ascii-body', 'large-body'], (one) =>
    github({ ...one, body: Buffer.from(one.body.toString('latin1')) }),
  ),
  'parses before it verifies': ['github', ['no-json'], (one) => (JSON.parse(`${one.body}`) ? judged(one) : 400)],
  'takes the algorithm from the header': alsoTaking('sha1', (body) => `sha1=${hmac(plain, body, 'hex', 'sha1')}`),
  'falls back to an empty secret': alsoTaking('empty-key', (body) => `sha256=${hmac('', body)}`),
  'falls back to an undefined secret': alsoTaking('undefined-key', (body) => `sha256=${hmac('undefined', body)}`),
  'accepts a plain hash of secret and body': alsoTaking('unkeyed', (body) => `sha256=${hash('sha256', plain + body)}`),
  'throws on a signature of another length': taking([...none, 'half-signature', 'not-ascii', 'sha1'], throwing),
  'requires exactly application/json': ['github', ['charset-parameter'], typed],
  'redirects rejected deliveries': ['github', mustReject('github'), (one) => (github(one) ? judged(one) : 302)],
  'ignores the time': ['stripe', ['stale'], guarded(ignoringTime)],
  'reads the first signature only': reading('wrong-then-right', /^(t=\d+,v1=[^,]*).*/, '$1'),
  'reads the last signature only': reading('right-then-wrong', /^(t=\d+,).*(v1=[^,]*)$/, '$1$2'),
};

test.for(Object.entries(mistakes))('fails its own checks and no others: a receiver that %s', async ([, mistake]) => {
  const [preset, expected, handler] = mistake;
  const said = await report(preset, handler);
  expect(ofVerdict(said, 'fail').sort()).toEqual(expected.toSorted());
  expect(said.verifies).toBe(false);
});

let [count, wrong] = [0, 0];
test.for<[string, Handler, boolean | null, RegExp]>([
  ['rejects everything', () => 401, null, /^Cannot be decided: .* got 401\. Check the URL/],
  ['wants what GitHub sends', (one) => (header(one, 'x-github-event') ? judged(one) : 400), true, /^It verifies/],
  [
    'limits requests',
    (one) => ((count += 1) > 20 ? 429 : judged(one)),
    null,
    /^Cannot be decided: after \S+ valid deliveries got 429: the receiver limits requests/,
  ],
  [
    'bans who sends five wrong signatures (fail2ban)',
    (one) => (wrong >= 5 ? 403 : github(one) ? 200 : ((wrong += 1), 401)),
    null,
    /^Cannot be decided: after \S+ valid deliveries got 403: it may shut out/,
  ],
  ['adds a slash (Django)', () => [307, { location: '/hook/' }], null, /got 307, \/hook\/\. Check/],
  ['answers 202 before it verifies', () => 202, null, /^Cannot be decided: 202: taken before it is verified/],
  [
    'breaks before it verifies',
    ({ body }) => (/[^\0-\x7f]/.test(`${body}`) ? 500 : 202),
    false,
    /^It neither accepts nor refuses/,
  ],
  [
    'ends its process at a signature of another length (Infisical 6127)',
    (one, end) => (signature(one).length === 71 ? judged(one) : (end(), 500)),
    false,
    /^It stops answering after no-signature$/,
  ],
  ['takes no large bodies', (one) => (one.body.length > 9_999 ? 413 : judged(one)), false, /refuses valid .* large/],
])('the summary of a receiver that %s', async ([, handler, verifies, says]) => {
  const said = await report('github', handler);
  expect([said.verifies, said.summary]).toEqual([verifies, [expect.stringMatching(says)]]);
});

import { timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkReceiver, createSigner, type ReceiverReport } from '../../../../webhooks/receiver/check.ts';
import { probes } from '../../../../webhooks/receiver/probes.ts';
import type { PresetName } from '../../../../webhooks/signature/presets.ts';
import { presets } from '../../../../webhooks/signature/presets.ts';
import type { Handler, Incoming } from './receivers.ts';
import { correct, fresh, github, guarded, header, mac, secrets, serve, stripe, unkeyedHash } from './receivers.ts';

async function report(preset: PresetName, handler: Handler, secret: string = secrets.text): Promise<ReceiverReport> {
  const served = await serve(handler);
  try {
    return await checkReceiver({ url: served.url, schemeName: preset, scheme: presets[preset], secret });
  } finally {
    await served.close();
  }
}

const red = ({ checks }: ReceiverReport): string[] =>
  checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
const open = ({ checks }: ReceiverReport): string[] =>
  checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);

describe('a correct receiver passes every check', () => {
  test.for(Object.entries(correct))('%s', async ([preset, { secret, verifies }]) => {
    const origin = { value: '' };
    const handler = guarded((incoming) => verifies(incoming, `http://${header(incoming, 'host')}${origin.value}`));
    const said = await report(preset as PresetName, handler, secret);
    expect([red(said), open(said), said.verifies]).toEqual([[], [], true]);
    expect(said.checks.length).toBeGreaterThan(18);
    expect(said.notTested.join()).toContain('constant-time comparison: not tested');
  });
});

const signature = (incoming: Incoming): string => header(incoming, 'x-hub-signature-256');
const hex = (body: Buffer): string => mac(body).toString('hex');
const mustReject = (preset: PresetName): string[] => {
  const signer = createSigner({ scheme: presets[preset], secret: secrets.text, url: 'http://127.0.0.1:1/' });
  return probes.filter(({ expects, build }) => expects === 'reject' && build(signer) !== undefined).map(({ id }) => id);
};

/** A receiver that uses only these parts of Stripe's header. */
const readingOf = (header: RegExp, kept: string): Handler =>
  guarded((one) => {
    const sent = String(one.headers['stripe-signature'] ?? '');
    return stripe({ ...one, headers: { ...one.headers, 'stripe-signature': sent.replace(header, kept) } });
  });

/** The classic mistakes: a preset, a receiver with the mistake, and the checks that must fail. */
const mistakes: Readonly<Record<string, readonly [PresetName, Handler, readonly string[]]>> = {
  'verifies nothing': ['github', () => 200, mustReject('github')],
  'verifies nothing, under a scheme with a timestamp': ['stripe', () => 200, mustReject('stripe')],
  'rejects everything': ['github', () => 401, ['valid']],
  'fails open without the header': [
    'github',
    guarded((one) => one.headers['x-hub-signature-256'] === undefined || github(one)),
    ['no-signature'],
  ],
  'fails open on a falsy header': [
    'github',
    guarded((one) => signature(one) === '' || github(one)),
    ['no-signature', 'empty-signature'],
  ],
  'compares only as many characters as arrived': [
    'github',
    guarded((one) => `sha256=${hex(one.body)}`.startsWith(signature(one))),
    ['no-signature', 'empty-signature', 'half-signature'],
  ],
  'compares the first ten characters': [
    'github',
    guarded((one) => signature(one).slice(0, 17) === `sha256=${hex(one.body)}`.slice(0, 17)),
    ['half-signature', 'one-character'],
  ],
  'verifies reserialised JSON': [
    'github',
    guarded((one) => {
      try {
        return signature(one) === `sha256=${hex(Buffer.from(JSON.stringify(JSON.parse(one.body.toString()))))}`;
      } catch {
        return false;
      }
    }),
    ['spaced-json-body', 're-serialised-body', 'newline-added'],
  ],
  'trims the body': [
    'github',
    guarded(
      (one) => github(one) || github({ ...one, body: Buffer.from(one.body.toString('latin1').trim(), 'latin1') }),
    ),
    ['newline-added'],
  ],
  'reads the body as Latin-1': [
    'github',
    guarded((one) => github({ ...one, body: Buffer.from(one.body.toString('latin1')) })),
    ['non-ascii-body'],
  ],
  'takes the algorithm from the header': [
    'github',
    guarded((one) => {
      const [name = '', given = ''] = signature(one).split('=');
      return ['sha1', 'sha256'].includes(name) && given === mac(one.body, name).toString('hex');
    }),
    ['sha1'],
  ],
  'falls back to an empty secret': [
    'github',
    guarded((one) => github(one) || signature(one) === `sha256=${mac(one.body, 'sha256', '').toString('hex')}`),
    ['empty-key'],
  ],
  'falls back to an undefined secret': [
    'github',
    guarded(
      (one) => github(one) || signature(one) === `sha256=${mac(one.body, 'sha256', 'undefined').toString('hex')}`,
    ),
    ['undefined-key'],
  ],
  'also accepts a plain hash of secret and body': [
    'github',
    guarded((one) => github(one) || signature(one) === `sha256=${unkeyedHash(one.body)}`),
    ['unkeyed'],
  ],
  'throws on a signature of another length': [
    'github',
    guarded((one) => timingSafeEqual(Buffer.from(signature(one)), Buffer.from(`sha256=${hex(one.body)}`))),
    ['no-server-error'],
  ],
  'crashes on broken JSON': [
    'github',
    (one) => (!github(one) ? 401 : JSON.parse(one.body.toString()) === null ? 400 : 200),
    ['no-server-error'],
  ],
  'accepts small bodies only': [
    'github',
    (one) => (one.body.length > 32_768 ? 413 : guarded(github)(one)),
    ['large-body'],
  ],
  'requires exactly application/json': [
    'github',
    (one) => (header(one, 'content-type') === 'application/json' ? guarded(github)(one) : 415),
    ['charset-parameter'],
  ],
  'redirects rejected deliveries': [
    'github',
    (one) => (github(one) ? guarded(github)(one) : 302),
    mustReject('github'),
  ],
  'ignores the time': [
    'stripe',
    guarded((one) => {
      const [, time = '', given = ''] = /^t=(\d+),.*v1=([0-9a-f]{64})/.exec(header(one, 'stripe-signature')) ?? [];
      return (
        header(one, 'stripe-signature').includes(
          `v1=${mac(Buffer.concat([Buffer.from(`${time}.`), one.body])).toString('hex')}`,
        ) && given !== ''
      );
    }),
    ['stale'],
  ],
  'tolerates a timestamp near the signed one': [
    'slack',
    guarded(
      (one) =>
        fresh(Number(header(one, 'x-slack-request-timestamp')) * 1_000) &&
        [-2, 0, 2].some(
          (shift) =>
            header(one, 'x-slack-signature') ===
            `v0=${mac(Buffer.concat([Buffer.from(`v0:${Number(header(one, 'x-slack-request-timestamp')) + shift}:`), one.body])).toString('hex')}`,
        ),
    ),
    ['timestamp-edited'],
  ],
  'reads the first signature only': ['stripe', readingOf(/^(t=\d+,v1=[^,]*).*/, '$1'), ['wrong-then-right']],
  'reads the last signature only': ['stripe', readingOf(/^(t=\d+,).*(v1=[^,]*)$/, '$1$2'), ['right-then-wrong']],
};

describe('a mistake fails its own checks and no others', () => {
  test.for(Object.entries(mistakes))('%s', async ([, [preset, handler, expected]]) => {
    const said = await report(preset, handler);
    expect(red(said).sort()).toEqual([...expected].sort());
    expect(said.verifies).toBe(false);
  });
});

describe('the summary is shown', () => {
  test('of a receiver that accepts everything', async () => {
    expect((await report('github', () => 200)).summary[0]).toContain('accepts everything');
  });
  test('of a receiver that rejects everything', async () => {
    expect((await report('github', () => 401)).summary[0]).toContain('rejects everything');
  });
  test('of a URL that is not a receiver', async () => {
    const said = await report('github', () => 404);
    expect([said.verifies, said.requests]).toEqual([null, 1]);
  });
  test('of a receiver that limits requests', async () => {
    let count = 0;
    const said = await report('github', (one) => ((count += 1) > 20 ? 429 : guarded(github)(one)));
    expect([said.verifies, red(said), said.requests < 35]).toEqual([null, [], true]);
  });
  test('of a receiver that answers 202 before it verifies: nothing is claimed', async () => {
    const said = await report('github', () => 202);
    expect([said.verifies, red(said), said.summary]).toEqual([
      null,
      [],
      [expect.stringMatching(/^Cannot be decided: it answers 202 before it verifies/)],
    ]);
  });
  test('of one that answers 202 to what it took and refuses the rest', async () => {
    const said = await report('github', (one) => (guarded(github)(one) === 204 ? 202 : 401));
    expect(said.verifies).toBe(true);
  });
  test('of a receiver that stops answering: the delivery after which it does so is named', async () => {
    // An unguarded timingSafeEqual ends the process, as in Infisical 6127.
    const served = await serve((one) => {
      if (signature(one).length !== 71) {
        void served.close();
        throw new Error('the process ends');
      }
      return guarded(github)(one);
    });
    const options = { schemeName: 'github', scheme: presets.github, secret: secrets.text, restartMs: 10 };
    const said = await checkReceiver({ url: served.url, ...options });
    expect([said.verifies, said.summary]).toEqual([false, ['It stops answering after no-signature']]);
  });
});

import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sign as octokitSign } from '@octokit/webhooks-methods';
import { createSigner as createMessageSigner, httpbis } from 'http-message-signatures';
import { expect, test } from 'vitest';
import { schemes as senders } from '../../../../fixtures/reference/schemes.ts';
import { createSigner } from '../../../../webhooks/receiver/sign.ts';
import type { Delivery } from '../../../../webhooks/signature/delivery.ts';
import { contentFormula } from '../../../../webhooks/signature/describe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { wrongSecret } from '../../../../webhooks/signature/keys.ts';
import type { Scheme } from '../../../../webhooks/signature/scheme.ts';
import { parseScheme, presets } from '../../../../webhooks/signature/scheme.ts';
import { mismatch, verifyWebhook } from '../../../../webhooks/verify/verify.mjs';
import { newFolder } from '../../../new-folder.ts';
import { deliver, hash, jwt, plain, registered, type Sending, senderOf, sendingOf, whsec } from '../deliveries.ts';

/** A body that is a JWS, as Dialpad sends it, or holds one, as 2C2P's. */
const inBody: Readonly<Record<string, (sent: object) => string>> = {
  dialpad: (sent) => jwt(sent),
  '2c2p': (sent) => JSON.stringify({ payload: jwt(sent) }),
};
/** What packages sign. The reference signs Standard Webhooks with the package of the standard. */
const packages: Readonly<Record<string, (sending: Sending) => Promise<unknown>>> = {
  '@octokit/webhooks-methods': async ({ body }) => ({ 'X-Hub-Signature-256': await octokitSign(plain, body) }),
  'http-message-signatures': async ({ body, at }) => {
    const digest = `sha-256=:${Buffer.from(hash('sha256', body), 'hex').toString('base64')}:`;
    const key = createMessageSigner(plain, 'hmac-sha256', 'webhook');
    const fields = ['@method', '@target-uri', 'content-digest'];
    const config = { key, name: 'sig1', fields, paramValues: { created: new Date(at) } };
    const message = { method: 'POST', url: registered, headers: { 'Content-Digest': digest } };
    return (await httpbis.signMessage(config, message)).headers;
  },
};
const signedByPackages = Object.entries(packages).map(async ([name, signs]) => {
  const headers = await Promise.all([0, 1, 2].map((n) => signs(sendingOf(n))));
  return { name, secret: plain, sender: ({ n }: Sending) => headers[n] as Record<string, string>, sendings: undefined };
});
const all = [
  ...(await Promise.all(signedByPackages)),
  ...Object.keys(senders).map((name) => ({ name, ...senderOf(name), sendings: undefined })),
  ...Object.entries(inBody).map(([name, write]) => ({
    name,
    secret: plain,
    sender: () => ({}),
    sendings: [0, 1, 2].map((n) => sendingOf(n, write(JSON.parse(sendingOf(n).body) as object))),
  })),
];
/** What discovery makes of two deliveries of each sender, and a third delivery. */
const discovered = all.map(({ name, secret, sender, sendings }) => {
  const [first, second, third] = deliver(sender, sendings) as [Delivery, Delivery, Delivery];
  return { name, secret, third, found: discoverScheme([first, second], secret) };
});
const verified = discovered.flatMap(({ found, ...rest }) =>
  found.kind === 'verified' ? [{ ...rest, scheme: found.scheme }] : [],
);

const tampered = (delivery: Delivery): Delivery => {
  const body = Buffer.from(delivery.body);
  body[10] = (body[10] ?? 0) ^ 1;
  return { ...delivery, body };
};
const unsigned = (delivery: Delivery, { signature }: Scheme): Delivery => ({
  ...delivery,
  headers: delivery.headers.filter(([name]) => name !== signature.name),
  body: signature.from === 'field' ? Buffer.from('{}') : delivery.body,
});

test('the scheme of each sender is found from two deliveries', () => {
  expect(discovered.filter(({ found }) => found.kind !== 'verified').map(({ name }) => name)).toEqual([]);
  expect(discovered.length).toBeGreaterThan(85);
});

test.for([
  ['default', '<webhook-id>.<webhook-timestamp>.<body>'],
  ['stripe', '<Stripe-Signature t=>.<body>'],
  ['metronome', String.raw`<X-Metronome-Date>\n<body>`],
  ['hubspot', '<method><URL><body><X-HubSpot-Request-Timestamp>'],
  ['contentful', String.raw`<method>\n<path and query>\n<headers named in x-contentful-signed-headers>\n<body>`],
  ['jws', "<JWS header>.<claims with the body's SHA-256 at /request_body_sha256>"],
  ['openphone', '<openphone-signature hmac;1;>.<body>'],
  ['2c2p', '<JWS header>.<claims that are the payload>'],
  ['@octokit/webhooks-methods', '<body>'],
  ['http-message-signatures', '<RFC 9421 signature base of sig1 with content-digest>'],
] as const)('%s signs %s', ([name, formula]) => {
  const scheme = verified.find((one) => one.name === name)?.scheme;
  expect(scheme && contentFormula(scheme)).toBe(formula);
});

test.for(Object.entries(presets))('the preset %s is what its service signs', ([name, preset]) => {
  const sender = { 'standard-webhooks': 'default', 'hubspot-v3': 'hubspot' }[name] ?? name;
  // Deliveries with one signature do not show that there may be several.
  expect(preset).toMatchObject(verified.find((one) => one.name === sender)?.scheme ?? {});
});

test.for(verified)('$name: takes a third delivery, and refuses what is wrong with it', ({ scheme, third, secret }) => {
  expect(mismatch(scheme, third, secret)).toBeNull();
  expect(verifyWebhook(scheme, tampered(third), secret)).toBe(false);
  expect(verifyWebhook(scheme, unsigned(third, scheme), secret)).toBe(false);
  expect(verifyWebhook(scheme, third, wrongSecret(secret))).toBe(false);
  // The deliveries are older than five minutes.
  expect(verifyWebhook(scheme, third, secret)).toBe(scheme.time === undefined);
});

test('verify.mjs takes headers in each usual form, and throws nothing on what it cannot read', () => {
  const { third, secret } = verified.find(({ name }) => name === 'github') as (typeof verified)[number];
  const object = Object.fromEntries(third.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const { github } = presets;
  for (const headers of [third.headers, object, new Headers(object)]) {
    const request = { ...third, headers: headers as Delivery['headers'] };
    expect(verifyWebhook(github, request, secret)).toBe(true);
  }
  const scheme = verified.find(({ name }) => name === 'rfc9421')?.scheme ?? github;
  const headers = [['Signature-Input', 'sig1=("@authority")']] as const;
  const odd = { ...third, url: '/?a=%', registeredUrl: 'no URL', headers };
  expect(mismatch(scheme, odd, 'secret')).toMatch(/^the delivery has no signed Content-Digest/);
});

const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
test.skipIf(!python)('verify.py decides as verify.mjs does', () => {
  const folder = newFolder();
  cpSync(new URL('../../../../webhooks/verify/verify.py', import.meta.url), join(folder, 'verify.py'));
  const cases = verified.flatMap(({ scheme, third, secret }) =>
    [
      [third, secret],
      [tampered(third), secret],
      [unsigned(third, scheme), secret],
      [third, wrongSecret(secret)],
    ].map(([delivery, key]) => ({ scheme, request: delivery as Delivery, secret: key })),
  );
  const written = cases.map(({ request, ...rest }) => ({
    ...rest,
    request: { ...request, body: request.body.toString('base64') },
  }));
  writeFileSync(join(folder, 'cases.json'), JSON.stringify(written));
  writeFileSync(
    join(folder, 'run.py'),
    `import base64, json
from verify import verify_webhook
for one in json.load(open("cases.json")):
    request = {**one["request"], "body": base64.b64decode(one["request"]["body"])}
    print(verify_webhook(one["scheme"], request, one["secret"], 1e12), verify_webhook(one["scheme"], request, one["secret"]))
`,
  );
  const run = spawnSync('python3', ['run.py'], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  const word = (is: boolean): string => (is ? 'True' : 'False');
  expect(run.stderr).toBe('');
  expect(run.stdout.trim().split('\n')).toEqual(
    cases.map(({ scheme, request, secret }) => {
      const key = String(secret);
      return `${word(mismatch(scheme, request, key) === null)} ${word(verifyWebhook(scheme, request, key))}`;
    }),
  );
});

const known = [
  ...verified,
  ...Object.entries(presets).map(([name, scheme]) => ({
    name,
    scheme,
    secret: name === 'standard-webhooks' ? whsec : plain,
  })),
];

test.for(known)('$name: is read back from a file, and signs what it verifies', ({ scheme, secret }) => {
  expect(parseScheme(JSON.parse(JSON.stringify({ scheme })))).toEqual(scheme);
  if (scheme.kind !== 'parts') {
    expect(() => createSigner({ url: registered, scheme, secret })).toThrow('receivers are tested with HMACs in a');
    return;
  }
  const delivery = {
    ...createSigner({ url: registered, scheme, secret }).signed(),
    url: '/inbox?tenant=7',
    registeredUrl: registered,
  };
  expect(verifyWebhook(scheme, delivery, secret)).toBe(true);
});

test.for<[string, unknown, RegExp]>([
  ['nothing', null, /got null, must be a scheme/],
  [
    'a template without a signature',
    { ...presets.github, signature: { ...presets.github.signature, template: 'x' } },
    /template/,
  ],
  ['an unknown member', { ...presets.github, hash: 'md5' }, /"hash".* must be one of /],
  ['an invalid header name', { ...presets.github, signature: { ...presets.github.signature, name: 'a b' } }, /name/],
  ['an unknown part', { ...presets.github, parts: [{ from: 'moon' }] }, /./],
])('a scheme file with %s is refused', ([, json, message]) => {
  expect(() => parseScheme(json)).toThrow(message);
});

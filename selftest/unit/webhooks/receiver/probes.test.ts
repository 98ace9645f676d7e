import { expect, test } from 'vitest';
import { createSigner } from '../../../../webhooks/receiver/check.ts';
import { probes } from '../../../../webhooks/receiver/probes.ts';
import type { Sent } from '../../../../webhooks/receiver/sign.ts';
import { presets } from '../../../../webhooks/signature/presets.ts';
import type { Scheme } from '../../../../webhooks/signature/scheme.ts';
import { mismatch } from '../../../../webhooks/verify/verify.mjs';
import { secrets } from './receivers.ts';

const url = 'http://127.0.0.1:9/inbox?tenant=7';
const at = Date.UTC(2026, 8, 27, 12);

/** The presets, and an encoding that none of them has. */
const schemes: Readonly<Record<string, Scheme>> = {
  ...presets,
  'base64 of hex': { ...presets.shopify, encoding: 'base64-hex' },
};

const secretOf = (name: string): string => (name === 'standard-webhooks' ? secrets.whsec : secrets.text);
const signerOf = (name: string, scheme: Scheme) => createSigner({ scheme, secret: secretOf(name), url }, () => at);

const verifies = (name: string, scheme: Scheme, sent: Sent): boolean =>
  mismatch(scheme, { ...sent, url: '/inbox?tenant=7', registeredUrl: url }, secretOf(name)) === null;

/** Probes with a correct signature that break another rule of a receiver: its age. */
const beyondTheHash = ['stale'];

test.for(Object.entries(schemes))('%s: probes have the defects that they claim', ([name, scheme]) => {
  const signer = signerOf(name, scheme);
  expect(verifies(name, scheme, signer.signed())).toBe(true);
  const built = probes.flatMap(({ id, expects, build }) => {
    const sent = build(signer);
    const isJudged = sent !== undefined && expects !== 'either' && !beyondTheHash.includes(id);
    return isJudged ? [{ id, right: verifies(name, scheme, sent) === (expects === 'accept') }] : [];
  });
  expect(built.filter(({ right }) => !right)).toEqual([]);
  expect(built.length).toBeGreaterThan(15);
});

test('every probe is built for some scheme; ids and titles are unique, and titles state facts', () => {
  const signers = Object.entries(schemes).map(([name, scheme]) => signerOf(name, scheme));
  expect(probes.filter(({ build }) => signers.every((signer) => build(signer) === undefined))).toEqual([]);
  expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
  expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
  expect(probes.filter(({ title }) => /should|test/i.test(title) || title.length > 90)).toEqual([]);
});

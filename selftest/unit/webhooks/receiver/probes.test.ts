import { expect, test } from 'vitest';
import { createKit, type Outgoing } from '../../../../webhooks/receiver/kit.ts';
import { probes } from '../../../../webhooks/receiver/probes.ts';
import { presets } from '../../../../webhooks/signature/presets.ts';
import type { Scheme } from '../../../../webhooks/signature/scheme.ts';
import { mismatch } from '../../../../webhooks/verify/verify.mjs';
import { secrets } from './receivers.ts';

const url = 'http://127.0.0.1:9/inbox?tenant=7';
const at = Date.UTC(2026, 8, 27, 12);
const text = { strip: '', decode: 'text' } as const;

/** The presets, and schemes of the other kinds. */
const schemes: Readonly<Record<string, Scheme>> = {
  ...presets,
  jws: {
    kind: 'jws',
    signature: { from: 'header', name: 'X-JWT', template: '{signature}' },
    claim: '/sha256',
    encoding: 'hex',
    key: text,
  },
  rfc9421: {
    kind: 'rfc9421',
    signature: { from: 'header', name: 'Signature', template: 'sig1=:{signature}:' },
    label: 'sig1',
    digest: true,
    key: text,
  },
  'base64 of hex': { ...presets.shopify, encoding: 'base64-hex' },
};

const secretOf = (name: string): string => (name === 'standard-webhooks' ? secrets.whsec : secrets.text);
const kitOf = (name: string, scheme: Scheme) => createKit({ scheme, secret: secretOf(name), url, now: () => at });

const verifies = (name: string, scheme: Scheme, sent: Outgoing): boolean =>
  mismatch(scheme, { ...sent, url: '/inbox?tenant=7', registeredUrl: url }, secretOf(name)) === null;

/** Probes with a correct signature that break other rules of a receiver: age and form. */
const beyondTheHash = ['stale', 'other-encoding'];

test.for(Object.entries(schemes))('%s: probes have the defects that they claim', ([name, scheme]) => {
  const kit = kitOf(name, scheme);
  expect(verifies(name, scheme, kit.valid())).toBe(true);
  const built = probes.flatMap(({ id, expects, build }) => {
    const sent = build(kit);
    const isJudged = sent !== undefined && expects !== 'either' && !beyondTheHash.includes(id);
    return isJudged ? [{ id, right: verifies(name, scheme, sent) === (expects === 'accept') }] : [];
  });
  expect(built.filter(({ right }) => !right)).toEqual([]);
  expect(built.length).toBeGreaterThan(15);
});

test('every probe is built for some scheme; ids and titles are unique, and titles state facts', () => {
  const kits = Object.entries(schemes).map(([name, scheme]) => kitOf(name, scheme));
  expect(probes.filter(({ build }) => kits.every((kit) => build(kit) === undefined))).toEqual([]);
  expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
  expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
  expect(probes.filter(({ title }) => /should|test/i.test(title) || title.length > 90)).toEqual([]);
});

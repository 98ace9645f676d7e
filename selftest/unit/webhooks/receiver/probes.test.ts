import { describe, expect, test } from 'vitest';
import { probes } from '../../../../webhooks/receiver/check.ts';
import type { Outgoing } from '../../../../webhooks/receiver/probe.ts';
import { createKit, outgoing } from '../../../../webhooks/receiver/probe.ts';
import { discoverScheme } from '../../../../webhooks/signature/discover.ts';
import { presets } from '../../../../webhooks/signature/presets.ts';
import type { Scheme } from '../../../../webhooks/signature/scheme.ts';
import { parseScheme } from '../../../../webhooks/signature/scheme-file.ts';
import { obstacleToSigning, sign } from '../../../../webhooks/signature/sign.ts';
import { verify } from '../../../../webhooks/signature/verify.ts';
import { deliveriesOf } from '../signature/families/family.ts';
import { families } from '../signature/families.ts';
import { secrets } from './receivers.ts';

const url = 'http://127.0.0.1:9/inbox?tenant=7';
const at = Date.UTC(2026, 8, 27, 12);

/** All schemes: the presets, and those that discovery finds for each family. */
const schemes: readonly (readonly [string, Scheme, string])[] = [
  ...Object.entries(presets).map(
    ([name, scheme]) => [name, scheme, name === 'standard-webhooks' ? secrets.whsec : secrets.text] as const,
  ),
  ...families.flatMap((family) => {
    const found = discoverScheme(deliveriesOf(family), family.secret);
    return found.kind === 'verified' ? [[family.name, found.scheme, family.secret] as const] : [];
  }),
];
const signable = schemes.filter(([, scheme]) => obstacleToSigning(scheme) === undefined);

const verifies = (scheme: Scheme, secret: string, sent: Outgoing): boolean =>
  verify(scheme, { ...sent, url: '/inbox?tenant=7', registeredUrl: url, receivedAt: at }, secret).verified;

/** Probes with a correct signature that break other rules of a receiver: age and form. */
const beyondTheHash = ['stale', 'other-encoding'];

describe('every scheme', () => {
  test.for(signable)('%s: signed probes verify, and probes have the defects that they claim', ([, scheme, secret]) => {
    const kit = createKit({ scheme, secret, url, headers: [], now: () => at });
    expect(verifies(scheme, secret, outgoing(kit, kit.draft()))).toBe(true);
    const built = probes.flatMap((probe) => {
      const sent = probe.build(kit);
      return sent === undefined || probe.expects === 'either' || beyondTheHash.includes(probe.id)
        ? []
        : [{ id: probe.id, right: verifies(scheme, secret, sent) === (probe.expects === 'accept') }];
    });
    expect(built.filter(({ right }) => !right)).toEqual([]);
    expect(built.length).toBeGreaterThan(18);
  });

  test.for(schemes.filter((one) => !signable.includes(one)))(
    '%s: nothing is signed, and the reason is given',
    ([, scheme, secret]) => {
      const { draft } = createKit({ scheme, secret, url, headers: [], now: () => at });
      expect(() => sign(scheme, draft(), secret)).toThrow(/^Cannot sign by this scheme: its (signature|JWS|content) /);
    },
  );

  test.for(schemes)('%s is read back from a file', ([, scheme]) => {
    expect(parseScheme(JSON.parse(JSON.stringify(scheme)))).toEqual(scheme);
  });
});

test('every probe is built for some scheme', () => {
  const never = probes.filter(({ build }) =>
    signable.every(
      ([, scheme, secret]) => build(createKit({ scheme, secret, url, headers: [], now: () => at })) === undefined,
    ),
  );
  expect(never).toEqual([]);
});

test('ids and titles of the probes are unique, and titles state facts', () => {
  expect(new Set(probes.map(({ id }) => id)).size).toBe(probes.length);
  expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
  expect(probes.filter(({ title }) => /should|test/i.test(title) || title.length > 90)).toEqual([]);
});

test.for<[string, unknown, RegExp]>([
  ['nothing', null, /scheme/],
  [
    'a template without a signature',
    { ...presets.github, signature: { ...presets.github.signature, template: 'x' } },
    /template/,
  ],
  ['an unknown member', { ...presets.github, hash: 'md5' }, /additional/],
  [
    'an invalid header name',
    { ...presets.github, signature: { template: '{signature}', source: { in: 'header', name: 'a b', label: null } } },
    /./,
  ],
])('a scheme file with %s is refused', ([, json, message]) => {
  expect(() => parseScheme(json)).toThrow(message);
});

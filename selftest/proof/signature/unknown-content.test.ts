import { expect, test } from 'vitest';
import { describeDiscovery } from '../../../webhooks/signature/describe-discovery.ts';
import { discoverScheme } from '../../../webhooks/signature/discover.ts';
import { discoverAmong } from '../../../webhooks/signature/discover-among.ts';
import { deliver, hmac, plain, whsec } from '../../unit/webhooks/signature/deliveries.ts';

// All compositions are tried before these are left undecided.
test('nothing is claimed if the content is unknown', () => {
  const found = discoverScheme(
    deliver(({ body, s }) => ({ 'X-Timestamp': s, 'X-Signature': hmac(plain, `acme~${s}~${body}~acme`) })),
    plain,
  );
  expect(found.kind).toBe('unknown-content');
  expect(
    found.kind === 'unknown-content' &&
      found.tried.complete &&
      found.tokens.map(({ source, bytes }) => [source, bytes]),
  ).toEqual([[{ in: 'header', name: 'X-Signature', label: null }, 32]]);
});

test('if none of several secrets explains a signature of the right form, that is reported first', () => {
  const { discovery } = discoverAmong(
    deliver(({ body }) => ({ 'X-Signature': hmac('a pepper that nobody is told', body) })),
    [plain, whsec],
  );
  expect(discovery.kind === 'unknown-content' && discovery.tried.secrets).toBe(2);
  expect(describeDiscovery(discovery)).toMatch(
    /^Cannot be decided: header `X-Signature` has the form of an HMAC-SHA256, made with a secret or over content that was not tried \(none of \d+ HMACs of \d+ contents under \d+ readings of 2 secrets(, stopped at a limit)? matches\)$/,
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shorten, shortenKeyLike } from '../../../../common/redaction/key-like.ts';
import { longestShownPart, secretAndRandom } from '../secrets.ts';

const key = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';

const kept = [
  'https://api.example.com/v1/deployments-2024-staging',
  'my-deployment-eu-west-1-staging.example.com:8443',
  '2026-11-22T03:23:15.123Z',
  String.raw`C:\Users\me\profile.json`,
  'svc_test_ and svc_live_ keys',
  'BookingConfirmationHandler',
  'ENTERPRISE_PER_MINUTE',
];

test.for([
  ...kept.map((text) => [text, text] as const),
  [key, 'svc_test_…'],
  ['wsk_pawybmXytrh5XMzd77596wRcxuDKAXNaicYyKGdh', 'wsk_…'],
  [`https://${key}@api.example.com`, 'https://…@api.example.com'],
  [
    `https://api.example.com/?api_key=${key.replaceAll('_', '%5F')}`,
    'https://api.example.com/?api_key=svc%5Ftest%5Fgq…',
  ],
  ['https://me:hunter2@api.example.com/v1', 'https://…@api.example.com/v1'],
  ['9f86d081884c7d659a2feaa0c55ad015', '9f86…'],
  ['AbC1dE2/fG3hI4jK5lM6nO7pQ8', 'AbC1dE2/fG3h…'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'eyJh….eyJz…'],
] as const)('an unknown text loses its key, and nothing else: %s', ([given, shown]) => {
  expect(shortenKeyLike(given)).toBe(shown);
});

test('the part of a secret that may be shown is its prefix, or four characters at most', () => {
  fc.assert(
    fc.property(secretAndRandom, ({ secret, part }) => {
      expect(longestShownPart(shorten(secret), part).length).toBeLessThanOrEqual(4);
    }),
  );
  expect(['svc_test_0123456789', 'hunter2hunter2', 'wsk_pawybmXytrh5XMzd77596'].map(shorten)).toEqual([
    'svc_test_…',
    'hun…',
    'wsk_…',
  ]);
});

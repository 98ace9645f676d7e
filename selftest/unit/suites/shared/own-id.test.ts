import { expect, test } from 'vitest';
import { holdsKey } from '../../../../suites/shared/own-id.ts';

const random = 'n3Kq8ZtW5xYb2LpVd7RmJc4HfG6sTa9Q';
const secret = `svc_test_${random}`;
const maker = { secret, label: 'SANDBOX_API_KEY', environment: 'sandbox', origin: 'given' } as const;
const percent = (text: string): string => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');
const reversed = (text: string): string => [...text].reverse().join('');

const echoes: Readonly<Record<string, string>> = {
  'the key': secret,
  'its random part': random,
  'its random part behind another prefix': `key_${random}`,
  'eight characters of it': `k-${random.slice(10, 18)}`,
  'all but its end': secret.slice(0, -4),
  'its end': random.slice(-12),
  'its beginning, with some of its random part': secret.slice(0, 14),
  'the key in upper case': secret.toUpperCase(),
  'the key backwards': reversed(secret),
  'the key in base64': btoa(secret),
  'the key in base64 for URLs, behind a prefix': `key_${Buffer.from(secret).toString('base64url')}`,
  'the key in base64, backwards': reversed(btoa(secret)),
  'the key in hexadecimal': Buffer.from(secret).toString('hex'),
  'the key in percent signs': percent(secret),
  'the key in percent signs, twice': percent(percent(secret)),
  'what looks like another key': 'svc_test_Xw1Ev0UoIi2DnBk8',
  'a URL with the key': `https://api.example.com/keys?api_key=${secret}`,
  'a path with the key': `../keys/${encodeURIComponent(secret)}`,
  'an object with the key, as text': JSON.stringify({ key: secret }),
};

const ids: Readonly<Record<string, string>> = {
  'a UUID': '6f1c2b1e-8c0a-4b53-9d0e-2f6a7c1d9b42',
  'a number': '17',
  'a number of 19 digits': '9007199254740993123',
  'hexadecimal digits': '65f0c0ffee15dead00beef42',
  'a name of the same service': 'key_live_and_test',
  'seven characters of the key': random.slice(0, 7),
  'the tag of a run': 'conformance-1d566de9-01',
};

test.for(Object.entries(echoes))('an id that is an echo of the key is none: %s', ([, id]) => {
  expect(holdsKey(id, maker)).toBe(true);
});

test.for(Object.entries(ids))('any other is one: %s', ([, id]) => {
  expect(holdsKey(id, maker)).toBe(false);
});

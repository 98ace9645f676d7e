import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor, shorten } from '../../../common/redact.ts';

const secretText = fc
  .string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 60 })
  .filter((text) => text.trim() === text);

const forms: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in a URL': (secret) => `https://a.example/?api_key=${encodeURIComponent(secret)}&x=1`,
  'in JSON': (secret) => JSON.stringify({ key: secret }),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'twice in a row': (secret) => secret + secret,
};

test.for(Object.entries(forms))('a learnt secret %s is taken out', ([, form]) => {
  fc.assert(
    fc.property(secretText, (secret) => {
      const { learn, clean } = createRedactor();
      learn(secret);
      expect(clean(form(secret))).not.toContain(form(secret));
      expect(clean(form(secret))).not.toContain(secret);
    }),
  );
});

test('of secrets within secrets, the longest goes', () => {
  const { learn, clean } = createRedactor();
  learn('whsec_abcdefgh');
  learn('whsec_abcdefghAndMoreOfIt');
  expect(clean('x whsec_abcdefghAndMoreOfIt y whsec_abcdefgh z')).toBe('x whsec_… y whsec_… z');
});

test('keys of the developer API are known by their look alone', () => {
  const { clean } = createRedactor();
  expect(clean('{"a":"svc_test_Abc123XYZ","b":"svc_live_0123456789"}')).toBe('{"a":"svc_test_…","b":"svc_live_…"}');
});

test('what is shown of a secret is its prefix, or four characters at most', () => {
  fc.assert(
    fc.property(secretText, (secret) => {
      expect(shorten(secret).length).toBeLessThanOrEqual(secret.length / 2 + 1);
    }),
  );
  expect(shorten('svc_test_0123456789')).toBe('svc_test_…');
  expect(shorten('hunter2hunter2')).toBe('hun…');
  expect(shorten('wsk_pawybmXytrh5XMzd77596')).toBe('wsk_…');
});

test('what is too short to be a secret stays, and so does everything else', () => {
  const { learn, clean } = createRedactor();
  learn('');
  learn('status');
  expect(clean('status of a test')).toBe('status of a test');
});

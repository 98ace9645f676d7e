import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacUnder } from '../../../../../webhooks/signature/read/hmac.ts';

const hashes = ['sha256', 'sha1', 'sha512', 'sha384', 'md5', 'sha512-256', 'sha3-256'] as const;
// Lengths around the block sizes of each hash, and around the length up to which contents are joined.
const keyLengths = [0, 5, 64, 65, 128, 129, 136, 137, 200];
const contentLengths = [0, 1, 5_000, 20_000];

test.each(hashes)('%s: the HMAC is that of node:crypto, for keys and contents of any length', (name) => {
  for (const key of keyLengths.map((length) => Buffer.alloc(length, 'key '))) {
    for (const content of contentLengths.map((length) => Buffer.alloc(length, 'content '))) {
      const made = hmacUnder(key, name)(['before', content, 'ü']);
      const right = createHmac(name, key).update('before').update(content).update('ü').digest('hex');
      expect(made).toBe(right);
    }
  }
});

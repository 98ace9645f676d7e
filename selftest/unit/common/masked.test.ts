import { expect, test } from 'vitest';
import { isMasked } from '../../../common/masked.ts';

test.each(['whsec_********', 'p9Zk…', '**** 4f2a', 'sk_...9d', '••••', '[redacted]', 'hidden'])(
  '%s is masked',
  (text) => {
    expect(isMasked(text)).toBe(true);
  },
);

test.each(['aB3*x!9Lq2*zW8', 'p9Zk2Lq8r5', 'a.b.c'])('%s is not: a secret may hold a star', (text) => {
  expect(isMasked(text)).toBe(false);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { neverIssued } from '../../../../suites/developer/auth.ts';
import type { Session } from '../../../../suites/session/session.ts';

const session = (secret: string): Session =>
  ({ settings: { SANDBOX_API_KEY: secret }, seed: 3, tag: 'self3' }) as unknown as Session;
const kindOf = (letter: string): string =>
  /[0-9]/.test(letter) ? 'digit' : /[a-z]/i.test(letter) ? 'letter' : 'other';

test('no form is the key itself; one differs from it in its last character alone, and that stays of its kind', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12, maxLength: 60, unit: fc.constantFrom(...'abzABZ0189') }), (rest) => {
      const secret = `svc_test_${rest}`;
      const forms = neverIssued(session(secret)).map((key) => key.secret);
      expect(forms).not.toContain(secret);
      const altered = forms.filter(
        (form) => form.length === secret.length && form.slice(0, -1) === secret.slice(0, -1),
      );
      expect(altered.map((form) => kindOf(form.at(-1) ?? ''))).toEqual([kindOf(secret.at(-1) ?? '')]);
      expect(new Set(forms).size).toBe(forms.length);
      expect(forms.filter((form) => form !== '').every((form) => form.length >= 15)).toBe(true);
    }),
  );
});

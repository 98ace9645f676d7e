import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanScript } from '../../../common/clean-script.ts';
import { redactorOf } from './secrets.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

test('a script shows no secret in quotes', () => {
  const script = `curl -i 'http://x.test/v1/leads/q7Rk2mZx9TbV4nLw8' -H "X-API-Key: \${KEY:?}"`;
  expect(cleanScript(script, redactorOf('q7Rk2mZx9TbV4nLw8').clean)).toBe(
    `curl -i 'http://x.test/v1/leads/…' -H "X-API-Key: \${KEY:?}"`,
  );
});

test('a script is read by the shell as before, whatever was taken out, or is not shown', () => {
  const text = fc.string({ unit: fc.constantFrom(...`ab1'"\\$;& \n`), minLength: 8, maxLength: 30 });
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (before, behind, secrets) => {
      const script = `curl ${quoted(before + secrets.join('') + behind)} "$KEY"`;
      const shown = cleanScript(script, redactorOf(...secrets).clean);
      expect(shown).toMatch(/^# Not shown: |^curl (?:'[^']*'|\\')* "\$KEY"$/);
    }),
  );
});

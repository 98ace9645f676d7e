import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanScript } from '../../../common/clean-script.ts';
import { createRedactor } from '../../../common/redact.ts';

const cleanerOf = (...secrets: string[]) => {
  const redactor = createRedactor();
  for (const secret of secrets) {
    redactor.learn(secret);
  }
  return redactor.clean;
};
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const notShown = /^# Not shown: /;

describe('a script', () => {
  test('shows no secret in quotes', () => {
    const script = `curl -i 'http://x.test/v1/leads/q7Rk2mZx9TbV4nLw8' -H "X-API-Key: \${KEY:?}"`;
    expect(cleanScript(script, cleanerOf('q7Rk2mZx9TbV4nLw8'))).toBe(
      `curl -i 'http://x.test/v1/leads/…' -H "X-API-Key: \${KEY:?}"`,
    );
  });

  test.for([
    `ab'cdefgh; touch x #'ij`,
    `'; touch x; echo '12345678`,
    `" ; touch x; echo "1234`,
    String.raw`\'12345678`,
  ])('is not shown where the secret %j would take its quotes along', (secret) => {
    const script = `curl -i ${quoted(`http://x.test/v1/leads/${secret}`)}`;
    const shown = cleanScript(script, cleanerOf(secret));
    expect(shown === script || notShown.test(shown) || /^curl -i '[^']*'$/.test(shown)).toBe(true);
  });

  test('is read by the shell as before, whatever was taken out', () => {
    const text = fc.string({ unit: fc.constantFrom(...`ab1'"\\$;& \n`), minLength: 8, maxLength: 30 });
    fc.assert(
      fc.property(text, text, fc.array(text, { maxLength: 3 }), (before, behind, secrets) => {
        const script = `curl ${quoted(before + secrets.join('') + behind)} "$KEY"`;
        const shown = cleanScript(script, cleanerOf(...secrets));
        expect(notShown.test(shown) || /^curl (?:'[^']*'|\\')* "\$KEY"$/.test(shown)).toBe(true);
      }),
    );
  });
});

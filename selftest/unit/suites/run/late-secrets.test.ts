import { expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import { reportsOf } from '../../../../reports/write.ts';
import { withoutLateSecrets } from '../../../../suites/run/late-secrets.ts';
import { exchangeWith, resultsOf, runOf } from '../../reports/sample.ts';

const secret = 'whsec_q7Rk2mZx9TbV4nLw8HcJ';
const inUtf16 = [...secret].join('\0');

test('a secret that was learnt after an exchange was recorded stands in no report, however reports escape its text', () => {
  const redactor = createRedactor();
  redactor.learn(secret);
  const exchange = exchangeWith({
    number: 1,
    request: { method: 'GET', url: `http://api.test/v1/x?s=${secret}`, headers: [['X-Echo', inUtf16]], body: secret },
    response: { status: 200, headers: [['X-Echo', inUtf16]], text: inUtf16, json: { echo: [...secret] } },
    curl: `curl -i 'http://api.test/v1/x?s=${secret}'`,
  });
  const finding = { message: 'Shown', exchange: 1 };
  const results = resultsOf({ 'developer.auth.header': { verdict: 'fail', findings: [finding] } });
  const run = runOf({ results, exchanges: [withoutLateSecrets(exchange, redactor)] });
  for (const [name, text] of reportsOf(run, (whole) => whole)) {
    const letters = text.replace(/[^A-Za-z0-9_]|u0000|2400/g, '');
    expect([name, letters.includes(secret)]).toEqual([name, false]);
  }
});

test('an exchange without secrets keeps its values', () => {
  const exchange = exchangeWith({ number: 1 });
  expect({ ...withoutLateSecrets(exchange, createRedactor()) }).toEqual({ ...exchange });
});

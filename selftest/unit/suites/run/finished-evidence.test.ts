import { expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import { withoutLateSecrets } from '../../../../suites/run/finished-evidence.ts';
import { reportsOf } from '../../reports/reports-of.ts';
import { exchangeWith, resultsOf, runOf } from '../../reports/sample.ts';

const secret = 'whsec_q7Rk2mZx9TbV4nLw8HcJ';
const inUtf16 = [...secret].join('\0');

test('a secret that was learnt after an exchange was recorded is in no report, however reports escape its text', () => {
  const redactor = createRedactor();
  redactor.learn(secret);
  const exchange = exchangeWith({
    number: 1,
    request: { method: 'GET', url: `http://api.test/v1/x?s=${secret}`, headers: [['X-Echo', inUtf16]], body: secret },
    response: { status: 200, headers: [['X-Echo', inUtf16]], text: inUtf16, json: { echo: [...secret] } },
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
  const { curl: _, ...rest } = exchange;
  expect(withoutLateSecrets(exchange, createRedactor())).toEqual(rest);
});

// Some deployments refuse a key by its capitals: the probes are learnt as keys, and share the beginning that is shown.
test.each(['sk_live_', 'wk_main_', 'pat_live_'])(
  'header lines with a shortened key %s… stay pairs, and show it',
  (prefix) => {
    const redactor = createRedactor();
    const key = `${prefix}4f9a8b7c6d5e4f3a2b1c`;
    for (const learnt of [key, key.toUpperCase(), `${prefix}*`]) {
      redactor.learn(learnt);
    }
    const headers = [['Authorization', `Bearer ${prefix}…`]] as const;
    const request = { method: 'GET', url: 'http://api.test/v1/agents', headers, body: null };
    expect(withoutLateSecrets(exchangeWith({ number: 1, request }), redactor).request.headers).toEqual(headers);
    expect(redactor.clean(`Bearer ${key}, ${key.toUpperCase()}`)).not.toMatch(/8b7c6d5e/i);
  },
);

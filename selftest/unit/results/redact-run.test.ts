import { expect, test } from 'vitest';
import { createRedactor } from '../../../common/redact.ts';
import { reportTexts } from '../../../reports/write.ts';
import { redactedRun } from '../../../results/redact-run.ts';
import { exchangeWith, findingAbout, resultsOf, runOf } from '../reports/sample.ts';

const secret = 'whsec_q7Rk2m"Zx9TbV4<nLw8HcJ';

test('a secret that was learnt late is in no report, in whatever way reports escape a text', () => {
  const redactor = createRedactor();
  redactor.learn(secret);
  const exchange = exchangeWith({
    number: 1,
    request: { method: 'GET', url: `http://api.test/v1/x?s=${secret}`, headers: [['X-Echo', secret]], body: secret },
    response: { status: 200, headers: [['X-Echo', secret]], text: `{"echo":"${secret}"}`, json: { [secret]: secret } },
  });
  const curl = `curl -i 'http://api.test/v1/x?s=${secret}'`;
  const findings = [findingAbout(1, { message: `Shown: ${secret}`, curl })];
  const results = resultsOf({
    'developer.auth.header': { verdict: 'fail', findings },
    'developer.errors.shape': { verdict: 'observed', observed: { echo: secret } },
  });
  const run = redactedRun(runOf({ results, exchanges: [exchange], notes: [secret] }), redactor);
  for (const [name, text] of reportTexts(run)) {
    expect([name, text.match(/Rk2m|Zx9T|8HcJ/g)]).toEqual([name, null]);
  }
});

import { expect, test } from 'vitest';
import { createRedactor } from '../../../common/redact.ts';
import { reportsOf } from './reports-of.ts';
import { resultsOf, runOf } from './sample.ts';

const secret = 'whsec_q7Rk2mZx9TbV4nLw8HcJ';

// The secret of the other API is learnt too late for the exchange that shows it.
test.for([
  ['its bytes', [...Buffer.from(secret)]],
  ['its bytes in a text', `bytes ${[...Buffer.from(secret)].join(', ')}`],
  ['a number', { [secret]: 7 }],
])('JSON files stay JSON where a secret that was observed is removed from them: %s', ([, observed]) => {
  const redactor = createRedactor();
  redactor.learn(secret);
  const results = resultsOf({ 'developer.errors.shape': { verdict: 'observed', observed: { echo: observed } } });
  const files = [...reportsOf(runOf({ results }), redactor.clean)].filter(([name]) => /\.(json|har)$/.test(name));
  expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(['conformance.json', 'profile.json']));
  for (const [, text] of files) {
    expect(redactor.clean(JSON.stringify(JSON.parse(text)))).toBe(JSON.stringify(JSON.parse(text)));
    expect(text.endsWith('}\n')).toBe(true);
  }
});

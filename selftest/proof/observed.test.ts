import { expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';

// What a gap's clause saw is all that it says; what other clauses left open stands beside their pass.
test.each(['developer', 'workspace'] as const)('what is observed of the plain reference: %s', async (api) => {
  const { results } = await runInProcess({ api });
  expect(
    Object.fromEntries(results.filter(({ observed }) => observed !== null).map(({ id, observed }) => [id, observed])),
  ).toMatchSnapshot();
});

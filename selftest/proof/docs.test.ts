import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readme } from '../../tools/docs/documents.ts';

// Its tables say what complete runs decide and how long they take. `npm run check` tests the pages that need no run.
test('the README is current', async () => {
  expect(readFileSync('README.md', 'utf8'), 'README.md is stale: npm run docs').toBe(await readme());
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from '../../tools/docs/documents.ts';

// Its tables say what complete runs decide and how long they take.
test('the output of npm run docs is current', async () => {
  for (const [path, text] of Object.entries(await documents())) {
    expect(readFileSync(path, 'utf8'), `${path} is stale: npm run docs`).toBe(text);
  }
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documents } from '../../tools/docs/documents.ts';

// Its tables tell what whole runs decide and how long they take.
test('what npm run docs writes is fresh', async () => {
  for (const [path, text] of Object.entries(await documents())) {
    expect(readFileSync(path, 'utf8'), `${path} is stale: npm run docs`).toBe(text);
  }
});

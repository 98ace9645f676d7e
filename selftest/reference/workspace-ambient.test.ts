import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../fixtures/reference/workspace');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const sources = files.map((name): [string, string] => [name, readFileSync(join(root, name), 'utf8')]);

/** What would make two runs differ: ambient time, randomness and environment. */
const ambient =
  /Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|setImmediate|performance\.|randomBytes|randomUUID|process\.|getRandomValues/;

test('nothing in the workspace reference reads a clock, dice or an environment of its own', () => {
  expect(files.length).toBeGreaterThan(30);
  expect(sources.filter(([, text]) => ambient.test(text)).map(([name]) => name)).toEqual([]);
});

test('it imports the contract, libraries and the reference alone', () => {
  const foreign = sources.flatMap(([name, text]) =>
    [...text.matchAll(/from '(\.[^']+)'/g)]
      .map(([, path = '']) => join('fixtures/reference/workspace', name, '..', path))
      .filter((path) => !/^(contract|fixtures\/reference)\//.test(path))
      .map((path) => `${name}: ${path}`),
  );
  expect(foreign).toEqual([]);
});

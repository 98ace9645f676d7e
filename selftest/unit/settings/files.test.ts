import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { parseProfile } from '../../../results/drift.ts';
import { parseWaivers } from '../../../results/waivers.ts';
import { fillBody, parseBodies } from '../../../settings/bodies-file.ts';
import { readJsonFile } from '../../../settings/json-file.ts';
import { newFolder } from '../../new-folder.ts';

const folder = newFolder();
const written = (text: string): string => {
  const file = join(folder, 'bodies.json');
  writeFileSync(file, text);
  return file;
};
const read = (text: string): unknown => readJsonFile('BODIES', written(text), parseBodies);

const good = {
  'POST /v1/agents': { name: 'Agent {{run}}', nested: [{ url: '{{webhook_url}}' }] },
  'PATCH /v1/leads/:id': { email: 'a@b.example' },
};

test('documented calls with a body are accepted as they are', () => {
  expect(read(`\ufeff${JSON.stringify(good)}`)).toEqual({ bodies: good, shapes: {} });
});

test('a schema and shapes may stand beside the bodies, as the published schema says', () => {
  const shapes = { agents: { id: '/uid', rows: '/data/items', next: '/paging/next' }, campaigns: {} };
  const file = { $schema: './bodies.schema.json', ...good, shapes };
  expect(read(JSON.stringify(file))).toEqual({ bodies: good, shapes });
  const schema = JSON.parse(readFileSync('settings/bodies.schema.json', 'utf8')) as object;
  const isValid = new Ajv2020().compile(schema);
  expect(isValid(file)).toBe(true);
  expect(isValid({ ...file, 'GET /v1/agents': {} })).toBe(false);
});

test.for([
  ['{', /it is not JSON: /],
  ['[]', /must be an object/],
  ['null', /must be an object/],
  ['"POST /v1/agents"', /must be an object/],
  ['{"POST /v1/agent": {}}', /"POST \/v1\/agent" is not a documented call.*POST \/v1\/agents/],
  ['{"GET /v1/agents": {}}', /"GET \/v1\/agents" is not a documented call with a body/],
  ['{"post /v1/agents": {}}', /POST \/v1\/agents/],
  ['{"POST /v1/agents": "name"}', /"POST \/v1\/agents": got a string, must be a JSON object/],
  ['{"POST /v1/agents": null}', /got null/],
  ['{"shapes": []}', /"shapes" must be an object/],
  ['{"shapes": {"agent": {}}}', /"agent" is no list.*agents/],
  ['{"shapes": {"agents": {"ids": "/uid"}}}', /"agents": "ids" must be one of id, rows, next/],
  ['{"shapes": {"agents": {"id": "uid"}}}', /"agents": id must be a JSON pointer/],
  ['{"POST /v1/agents": {"a": ["{{rum}}"]}}', /"POST \/v1\/agents": got \{\{rum\}\}, must be one of \{\{run\}\}/],
] as const)('%s is refused in one line with setting, file and place', ([text, says]) => {
  expect(() => read(text)).toThrow(CannotRun);
  expect(() => read(text)).toThrow(says);
  expect(() => read(text)).toThrow(/^Cannot use BODIES \S+bodies\.json: [^\n]+$/);
});

test('what is wrong is found by its line and column', () => {
  expect(() => read('{\n  "POST /v1/agents": {},\n  "POST /v1/agent": {}\n}')).toThrow(
    /bodies\.json: line 3, column 3: "POST/,
  );
  expect(() => read('{"shapes": {\n "agents": {"id": "uid"}}}')).toThrow(/bodies\.json: line 2, column 13: /);
  expect(() => read('{\n  "POST /v1/agents": {},\n}')).toThrow(/it is not JSON: .*line 3 column 1/);
  const waivers = '{"waivers": [\n  {"clause": "developer.auth.query", "reason": "x", "expires": "soon"}]}';
  expect(() => readJsonFile('WAIVERS', written(waivers), parseWaivers)).toThrow(/line 2, column 53: entry 1: expires/);
  expect(() => readJsonFile('PROFILE', written('{"format": 1,\n "observed": 1}'), parseProfile)).toThrow(
    /line 2, column 2/,
  );
});

test('a key that was given in place of a file is not shown', () => {
  expect(() => readJsonFile('BODIES', 'wsk_IZ7g8ko9Ff2x1QcG9JOTs6PN', parseBodies)).toThrow(
    /^Cannot use BODIES wsk_…: no such file or directory/,
  );
});

test('a file that is not there is named', () => {
  expect(() => readJsonFile('PROFILE', '/nowhere/profile.json', (json) => json)).toThrow(
    /^Cannot use PROFILE \/nowhere\/profile\.json: no such file or directory/,
  );
});

test('placeholders are replaced anywhere in strings', () => {
  expect(fillBody({ a: ['x {{run}} {{ run }}', 7, null], b: { c: '{{webhook_secret}}' } }, { run: 'T' })).toEqual({
    a: ['x T T', 7, null],
    b: { c: '{{webhook_secret}}' },
  });
});

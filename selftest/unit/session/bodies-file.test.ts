import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { fillBody, parseBodies, readBodies } from '../../../settings/bodies-file.ts';

const good = {
  'POST /v1/agents': { name: 'Agent {{run}}', nested: [{ url: '{{webhook_url}}' }] },
  'PATCH /v1/leads/:id': { email: 'a@b.example' },
};

test('documented calls with a body are taken as they are', () => {
  expect(parseBodies(`\ufeff${JSON.stringify(good)}`, 'bodies.json')).toEqual(good);
});

test.for([
  ['{', /not JSON/],
  ['[]', /may be an object/],
  ['null', /may be an object/],
  ['"POST /v1/agents"', /may be an object/],
  ['{"POST /v1/agent": {}}', /"POST \/v1\/agent" is no documented call.*POST \/v1\/agents/],
  ['{"GET /v1/agents": {}}', /"GET \/v1\/agents" is no documented call with a body/],
  ['{"post /v1/agents": {}}', /POST \/v1\/agents/],
  ['{"POST /v1/agents": "name"}', /"POST \/v1\/agents" is a string/],
  ['{"POST /v1/agents": null}', /is null/],
  ['{"POST /v1/agents": {"a": ["{{rum}}"]}}', /"POST \/v1\/agents" holds \{\{rum\}\}, and may hold \{\{run\}\}/],
] as const)('%s is refused with its place', ([text, says]) => {
  expect(() => parseBodies(text, 'bodies.json')).toThrow(CannotRun);
  expect(() => parseBodies(text, 'bodies.json')).toThrow(says);
  expect(() => parseBodies(text, 'bodies.json')).toThrow(/BODIES bodies\.json/);
});

test('a file that is not there is named', () => {
  expect(() => readBodies('/nowhere/bodies.json')).toThrow(/BODIES \/nowhere\/bodies\.json/);
});

test('words are filled in wherever they stand in strings', () => {
  expect(fillBody({ a: ['x {{run}} {{ run }}', 7, null], b: { c: '{{webhook_secret}}' } }, { run: 'T' })).toEqual({
    a: ['x T T', 7, null],
    b: { c: '{{webhook_secret}}' },
  });
});

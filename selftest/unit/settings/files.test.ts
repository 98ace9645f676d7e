import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { readJsonFile } from '../../../common/json-file.ts';
import { endpoints } from '../../../contract/endpoints.ts';
import { parseProfile } from '../../../results/drift.ts';
import { parseWaivers } from '../../../results/waivers.ts';
import bodiesSchema from '../../../settings/bodies.schema.json' with { type: 'json' };
import { fillBody, parseBodies, shapeName } from '../../../settings/bodies-file.ts';
import { newFile } from '../../new-folder.ts';

const parsers = { BODIES: parseBodies, WAIVERS: parseWaivers, PROFILE: parseProfile };
const read = (setting: keyof typeof parsers, text: string): unknown =>
  readJsonFile<unknown>(setting, newFile('file.json', text), parsers[setting]);

const bodies = {
  'POST /v1/agents': { name: 'Agent {{run}}', nested: [{ url: '{{webhook_url}}', at: '{{slot_start:+90m}}' }] },
  'PATCH /v1/leads/:id': { email: 'a@b.example' },
};
const shapes = { agents: { id: '/uid', rows: '/data/items', next: '/paging/next' }, campaigns: {} };
const waiver = { clause: 'developer.auth.header', reason: 'known since June', expires: '2026-12-31', ticket: 'API-12' };

test('what is as its schema says is taken as it is, with a schema named or a byte order mark before it', () => {
  expect(read('BODIES', `\ufeff${JSON.stringify(bodies)}`)).toEqual({ bodies, shapes: {} });
  expect(read('BODIES', JSON.stringify({ $schema: './x.json', ...bodies, shapes }))).toEqual({ bodies, shapes });
  expect(read('WAIVERS', JSON.stringify([waiver]))).toEqual([waiver]);
  expect(read('WAIVERS', JSON.stringify({ $schema: './x.json', waivers: [waiver] }))).toEqual([waiver]);
  expect(read('PROFILE', '{"format": 1, "observed": {"developer.errors.shape": null}}')).toEqual({
    'developer.errors.shape': null,
  });
});

const inWaiver = (change: object): string => `[\n${JSON.stringify({ ...waiver, ...change })}]`;

test.for([
  ['BODIES', '{\n  "POST /v1/agents": {},\n}', 'it is not JSON: '],
  ['BODIES', '{"/v1/agents": {}}', '"/v1/agents" is not a documented call with a body'],
  ['BODIES', '[]', 'line 1, column 1: it: got [], must be an object such as {"POST /v1/agents"'],
  [
    'BODIES',
    '{\n "POST /v1/agent": {}}',
    'line 2, column 2: "POST /v1/agent" is not a documented call with a body (the nearest: POST /v1/agents',
  ],
  ['BODIES', '{"shape": {}}', '"shape" (the nearest: shapes) must be one of $schema, shapes'],
  ['BODIES', '{"POST /v1/agents": {"a": ["{{rum}}"]}}', '"POST /v1/agents": got {{rum}}, must be one of {{run}}, '],
  ['BODIES', '{"shapes": {"agents": {"ids": "/uid"}}}', '"ids" (the nearest: id) must be one of id, rows, next'],
  [
    'BODIES',
    '{"shapes": {\n "agents": {"id": "uid"}}}',
    'line 2, column 13: /shapes/agents/id: got "uid", must be a JSON pointer',
  ],
  ['BODIES', '{"a, {b}: \\"c\\"": [{}, 1], "shapes":\n {"keys": 1}}', 'line 1, column 2: "a, {b}: \\"c\\""'],
  ['WAIVERS', '/0: reason is missing, must be an object with clause, reason and expires'],
  ['WAIVERS', inWaiver({ expires: '2026-02-30' }), '/0/expires: got "2026-02-30", must be a date such as "2026-12-31"'],
  ['WAIVERS', inWaiver({ clause: null }), 'must be a clause id such as "developer.envelope.json"'],
  ['WAIVERS', JSON.stringify([waiver, waiver]), 'clause "developer.auth.header" is already in another entry'],
  ['PROFILE', '{"format": 2,\n "observed": {}}', 'line 1, column 2: /format: got 2, must be 1, as in the profile.json'],
] as const)('%s: %s is refused in one line with setting, file and place', ([setting, text, says]) => {
  const attempt = (): unknown => read(setting, text);
  expect(attempt).toThrow(CannotRun);
  expect(attempt).toThrow(says);
  expect(attempt).toThrow(new RegExp(`^Cannot use ${setting} \\S+file\\.json: [^\\n]+$`));
});

test.for([
  ['wsk_IZ7g8ko9Ff2x1QcG9JOTs6PN', 'wsk_…'],
  ['/nowhere/profile.json', '/nowhere/profile.json'],
])('a file %s that is not there is named, unless it is a key', ([name, shown]) => {
  expect(() => readJsonFile('PROFILE', name ?? '', parseProfile)).toThrow(
    `Cannot use PROFILE ${shown}: no such file or directory`,
  );
});

test('the schema knows the lists that may have a shape', () => {
  const lists = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':id'));
  const known = new Set(lists.map(({ path }) => shapeName(path)));
  expect(new Set(bodiesSchema.properties.shapes.propertyNames.enum)).toEqual(known);
});

test('placeholders are replaced anywhere in strings', () => {
  expect(fillBody({ a: ['x {{run}} {{ run }}', 7, null], b: { c: '{{webhook_secret}}' } }, { run: 'T' })).toEqual({
    a: ['x T T', 7, null],
    b: { c: '{{webhook_secret}}' },
  });
});

import { expect, test } from 'vitest';
import { readDocuments } from '../../../../suites/run/openapi.ts';
import { newFile } from '../../../new-folder.ts';

const yaml = `
openapi: 3.1.0
info: {title: Deployment, version: '1'}
servers: [{url: https://api.example.com/v1}]
paths:
  /agents:
    get:
      responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Page'}}}}}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Agent'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Agent'}}}}}
  /bookings:
    post:
      requestBody:
        content:
          application/json:
            example: {lead_id: lead_1, starts_at: '2026-01-01T00:00:00Z', kind: demo}
      responses: {'201': {description: made}}
components:
  schemas:
    Page:
      type: object
      properties:
        found: {type: object, properties: {people: {type: array, items: {$ref: '#/components/schemas/Agent'}}}}
    Agent:
      allOf:
        - type: object
          required: [tone]
          properties:
            kennung: {type: string, readOnly: true}
            name: {type: string}
            tone: {type: string, enum: [warm, formal]}
`;

test('bodies and places come from documents in YAML and JSON, with references, servers and all', async () => {
  // As PowerShell writes it.
  const text = Buffer.from(`\ufeff${yaml}`, 'utf16le');
  const empty = JSON.stringify({ openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: {} });
  const files = `${newFile('empty.json', empty)}, ${newFile('api.yaml', text)}`;
  const { bodies, shapes } = await readDocuments(files);
  expect(bodies).toEqual({
    'POST /v1/agents': { name: 'Zoe {{run}}', tone: 'warm' },
    'POST /v1/bookings': { lead_id: '{{lead_id}}', starts_at: '{{slot_start}}', kind: 'demo {{run}}' },
  });
  expect(shapes).toMatchObject({ agents: { rows: '/found/people', id: '/kennung' } });
});

const booking = {
  type: 'object',
  properties: {
    lead_id: { type: 'integer' },
    agentId: { type: 'string', format: 'uuid' },
    owner_id: { type: 'integer', minimum: 1 },
    room_id: { type: 'string', example: 'room_blue' },
    title: { type: 'string' },
    paid: { type: 'boolean' },
  },
};
const ids = { lead_id: '{{lead_id}}', agentId: '{{agent_id}}', room_id: 'room_blue' };

const agent = { type: 'object', properties: { title: { type: 'string' } } };
const posted = (type: string, content: object) => ({ post: { requestBody: { content: { [type]: content } } } });
const json = (content: object) => posted('application/json', content);
const made = { title: 'Zoe {{run}}' };
const optional = {
  begin: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
  mail: { type: 'string', format: 'email' },
};
const patterns = {
  title: { type: 'string', pattern: '^[A-Z]{3}$' },
  phone: { type: 'string', pattern: '^\\+[1-9]\\d{1,14}$' },
};

// As generators write them; the names say which.
test.for<[string, path: string, item: object, body: object, openapi?: string]>([
  ['drf-spectacular: a slash at the end', '/v1/agents/', json({ schema: agent }), made],
  ['Swashbuckle: the name of the controller', '/v1/Agents', json({ schema: agent }), made],
  ['FastAPI behind a proxy: no prefix', '/agents', json({ schema: agent }), made],
  ['springdoc: any media type', '/v1/agents', posted('*/*', { schema: agent }), made],
  ['swagger-jsdoc: an example as text', '/v1/agents', json({ example: '{"title": "x"}' }), made],
  [
    'FastAPI: optional texts with a format',
    '/v1/agents',
    json({ schema: { properties: optional } }),
    { begin: '{{slot_start}}', mail: '{{email}}' },
  ],
  [
    'patterns',
    '/v1/agents',
    json({ schema: { type: 'object', properties: patterns } }),
    { title: 'AAA', phone: '{{phone}}' },
  ],
  ['OpenAPI 3.2', '/v1/agents', json({ schema: agent }), made, '3.2.0'],
  ['ids: of the run, shown, or left out', '/v1/bookings', json({ schema: booking }), { ...ids, ...made, paid: true }],
  [
    'an id that an example shows',
    '/v1/bookings',
    json({ schema: booking, example: { owner_id: 7, note: 'x' } }),
    { owner_id: 7, note: expect.stringContaining('{{run}}') },
  ],
])('a body is read of %s', async ([, path, item, body, openapi = '3.1.0']) => {
  const document = { openapi, info: { title: 'x', version: '1' }, paths: { [path]: item } };
  const { bodies } = await readDocuments(newFile('generated.json', JSON.stringify(document)));
  expect(Object.values(bodies)).toEqual([body]);
});

const endless = { allOf: [{ $ref: '#/components/schemas/Endless' }], type: 'object' };

test.each([
  ['none.yaml', null],
  ['broken.yaml', 'openapi: [3'],
  ['other.json', '{"swagger": "2.0"}'],
  ['another.yaml', 'openapi: 3.0.0\ninfo: {title: x, version: "1"}\npaths: {/gateway/v1/agents: {get: {}}}'],
  [
    'endless.json',
    JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'x', version: '1' },
      paths: { '/v1/agents': json({ schema: endless }) },
      components: { schemas: { Endless: endless } },
    }),
  ],
])('a document that cannot be used is named in one line: %s', async (name, text) => {
  const file = text === null ? `/nowhere/${name}` : newFile(name, text);
  await expect(readDocuments(file)).rejects.toThrow(/^Cannot use OPENAPI \S+: [^\n]+$/);
});

test('a reference that leads nowhere is named with its place', async () => {
  await expect(readDocuments(newFile('lost.yaml', yaml.replace("schemas/Page'", "schemas/Nope'")))).rejects.toThrow(
    /: Can't resolve \$ref, at #\/paths\/~1agents\/get\/responses\/200\/content\/application~1json\/schema$/,
  );
});

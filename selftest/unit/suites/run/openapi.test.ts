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
  const empty = JSON.stringify({ openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: {} });
  const files = `${newFile('empty.json', empty)}, ${newFile('api.yaml', yaml)}`;
  const { bodies, shapes } = await readDocuments(files);
  expect(bodies).toEqual({
    'POST /v1/agents': { name: 'Zoe {{run}}', tone: 'warm' },
    'POST /v1/bookings': { lead_id: '{{lead_id}}', starts_at: '{{slot_start}}', kind: 'demo {{run}}' },
  });
  expect(shapes).toMatchObject({ agents: { rows: '/found/people', id: '/kennung' } });
});

const properties = {
  lead_id: { type: 'integer' },
  agentId: { type: 'string', format: 'uuid' },
  owner_id: { type: 'integer', minimum: 1 },
  room_id: { type: 'string', example: 'room_blue' },
  title: { type: 'string' },
  paid: { type: 'boolean' },
};
const schema = { type: 'object', properties };
const records = { lead_id: '{{lead_id}}', agentId: '{{agent_id}}', room_id: 'room_blue' };
const filled = { ...records, title: 'Zoe {{run}}', paid: true };
const shown = { owner_id: 7, note: expect.stringContaining('{{run}}') };

test.for<[string, content: object, body: object]>([
  ['flat', { schema }, filled],
  ['nested', { schema: { type: 'object', properties: { booking: schema } } }, { booking: filled }],
  ['shown', { schema, example: { owner_id: 7, note: 'x' } }, shown],
])('no id is invented: a field has one of the run, one that the document shows, or is left out: %s', async (row) => {
  const [name, content, body] = row;
  const post = { requestBody: { content: { 'application/json': content } }, responses: {} };
  const document = { openapi: '3.0.3', info: { title: 'x', version: '1' }, paths: { '/v1/bookings': { post } } };
  const { bodies } = await readDocuments(newFile(`${name}.json`, JSON.stringify(document)));
  expect(bodies['POST /v1/bookings']).toEqual(body);
});

test.each([
  ['none.yaml', null],
  ['broken.yaml', 'openapi: [3'],
  ['other.json', '{"swagger": "2.0"}'],
])('a document that cannot be used is named in one line: %s', async (name, text) => {
  const file = text === null ? `/nowhere/${name}` : newFile(name, text);
  await expect(readDocuments(file)).rejects.toThrow(/^Cannot use OPENAPI \S+: [^\n]+$/);
});

test('a reference that leads nowhere is named with its place', async () => {
  await expect(readDocuments(newFile('lost.yaml', yaml.replace("schemas/Page'", "schemas/Nope'")))).rejects.toThrow(
    /: Can't resolve \$ref, at #\/paths\/~1agents\/get\/responses\/200\/content\/application~1json\/schema$/,
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import fc from 'fast-check';
import type { Har } from 'har-format';
import { describe, expect, test } from 'vitest';
import { harReport } from '../../../reports/har.ts';
import { exchanges, run } from './arbitrary.ts';
import { exchangeWith, findingAbout, resultsOf, runOf } from './sample.ts';
import { samples } from './sample-runs.ts';

/** The published JSON Schemas of HAR 1.2 (package har-schema, written for draft 6). */
function harValidator(): ValidateFunction {
  const folder = dirname(createRequire(import.meta.url).resolve('har-schema'));
  const read = (file: string): AnySchema => JSON.parse(readFileSync(file, 'utf8')) as AnySchema;
  const ajv = formats.default(new Ajv({ strict: false })).addMetaSchema(draft06);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    ajv.addSchema(read(join(folder, name)));
  }
  const validate = ajv.getSchema('har.json#');
  if (validate === undefined) {
    throw new Error('Cannot find the HAR schema');
  }
  return validate as ValidateFunction;
}
const valid = harValidator();

const harOf = (...given: Parameters<typeof harReport>): Har => JSON.parse(harReport(...given)) as Har;

describe('exchanges.har', () => {
  test('is valid HAR 1.2, whatever was exchanged', { timeout: 60_000 }, () => {
    expect(valid({ log: { version: '1.2' } })).toBe(false);
    fc.assert(
      fc.property(run, exchanges, (one, some) => {
        expect(valid(harOf(one, some)), JSON.stringify(valid.errors)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  const { run: failing, exchanges: evidence } = samples.failing ?? {
    run: runOf({ results: resultsOf({}) }),
    exchanges: [],
  };
  const entries = harOf(failing, evidence).log.entries;

  test('holds every exchange in the order of sending, with number, purpose and the clauses that name it', () => {
    expect(entries.map(({ comment }) => comment)).toEqual([
      'Exchange 1 of the developer API: Documented call: GET /api/v1/platform/me, key: SANDBOX_API_KEY',
      'Exchange 1 of the workspace API: Documented call: GET /v1/agents, key: WORKSPACE_API_KEY; workspace.agents.list fail',
      'Exchange 2 of the developer API: Call to be refused: GET /api/v1/platform/me, key: deleted key; developer.auth.deleted-key fail',
      'Exchange 3 of the developer API: Call outside the documents, key: deleted key; developer.errors.malformed-json warn',
      'Exchange 4 of the developer API: Call to be refused: GET /api/v1/platform/me, key: deleted key; developer.auth.deleted-key fail',
    ]);
  });

  test('holds headers in their own case, query, bodies and times', () => {
    expect(entries[2]).toMatchObject({
      startedDateTime: '2026-11-05T10:20:30.080Z',
      time: 23,
      request: {
        headers: [{ name: 'host', value: 'developer.example.com' }, {}, {}],
        queryString: [{ name: 'fields', value: 'id' }],
        bodySize: 0,
      },
      response: {
        status: 200,
        statusText: 'OK',
        headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }, {}],
        content: { mimeType: 'application/json; charset=utf-8' },
      },
    });
    expect(entries[3]?.request.postData).toEqual({ mimeType: 'application/json', text: '{"thread_context": ' });
  });

  test('tells a transport failure as status 0 with _error', () => {
    expect(entries[4]?.response).toMatchObject({
      status: 0,
      bodySize: -1,
      _error: 'Connection was closed after 0 bytes (ECONNRESET)',
    });
  });

  test('keeps the exchanges that findings name where there are too many, and says so', { timeout: 60_000 }, () => {
    const many = Array.from({ length: 12_000 }, (_, index) => exchangeWith({ number: index + 1 }));
    const one = runOf({
      results: resultsOf({ 'developer.auth.header': { verdict: 'fail', findings: [findingAbout(11_999)] } }),
    });
    const { log } = harOf(one, many);
    expect(log.comment).toBe('Seed 42; 2,000 exchanges that no finding names are left out');
    expect(log.entries.at(-1)?.comment).toMatch(/^Exchange 11999 /);
  });
});

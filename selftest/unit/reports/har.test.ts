import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import formats from 'ajv-formats';
import fc from 'fast-check';
import type { Har } from 'har-format';
import { describe, expect, test } from 'vitest';
import { deliveriesHar, exchangesHar } from '../../../reports/har.ts';
import { jsonReport } from '../../../reports/json.ts';
import type { Run } from '../../../results/verdict.ts';
import { readRequests } from '../../../webhooks/capture/read.ts';
import { run } from './arbitrary.ts';
import { findingAbout } from './sample.ts';
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

const parsed = (text: string): Har => JSON.parse(text) as Har;
const harOf = (run: Run): Har => parsed(exchangesHar(run));

describe('exchanges.har', () => {
  test('is valid HAR 1.2 for any exchanges', { timeout: 60_000 }, () => {
    expect(valid({ log: { version: '1.2' } })).toBe(false);
    fc.assert(
      fc.property(run, (one) => {
        expect(valid(harOf(one)), JSON.stringify(valid.errors)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  test('has the URLs of findings as conformance.json has them, and why a body was not read beside its status', () => {
    const url = 'https://developer.example.com/api/v1/platform/me?api_key=svc_test_…';
    const exchanges = samples.failing.exchanges.slice(0, 1).map((exchange) => ({
      ...{ ...exchange, request: { ...exchange.request, url } },
      response: { status: 200, headers: [], text: '', json: undefined },
      failure: { kind: 'encoding' as const, message: 'Body is not valid gzip' },
    }));
    const clauses = samples.failing.clauses.slice(0, 1).map((result) => ({
      ...result,
      findings: [findingAbout(1, { request: { method: 'GET', url } })],
    }));
    const told = JSON.parse(jsonReport({ ...samples.failing, clauses })) as Pick<Run, 'clauses'>;
    const [entry] = harOf({ ...samples.failing, exchanges }).log.entries;
    expect(told.clauses[0]?.findings[0]?.request?.url).toBe(entry?.request.url);
    expect(entry?.response).toMatchObject({ status: 200, _error: 'Body is not valid gzip' });
  });
});

describe('deliveries.har', () => {
  test('is valid HAR 1.2 for any deliveries, from which npm run signature reads each delivery back', () => {
    const har = parsed(deliveriesHar(samples.failing));
    expect(valid(har), JSON.stringify(valid.errors)).toBe(true);
    expect(readRequests(Buffer.from(JSON.stringify(har)))).toMatchObject([
      {
        method: 'POST',
        url: '/hook/1',
        registeredUrl: 'http://127.0.0.1:4000/hook/1',
        headers: [
          ['content-type', 'application/json'],
          ['x-signature', 'sha256=00ff'],
        ],
        body: Buffer.from('{"event":"booking.created"}'),
      },
    ]);
  });
});

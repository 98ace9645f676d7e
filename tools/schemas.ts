import { readFileSync } from 'node:fs';
import { clauses } from '../contract/clauses.ts';
import { profileSchema } from '../results/drift.ts';
import { verdicts } from '../results/verdict.ts';

const draft = 'https://json-schema.org/draft/2020-12/schema';
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const $schema = text;
const clause = { enum: clauses.map(({ id }) => id) };

/** Words and counts of a run. */
const totals = {
  type: 'object',
  required: verdicts,
  properties: Object.fromEntries([...verdicts, 'waived'].map((word) => [word, count])),
};

const finding = {
  type: 'object',
  required: ['message'],
  properties: {
    ...Object.fromEntries(
      ['message', 'expected', 'actual', 'place', 'curl', 'cause', 'advice', 'blames'].map((name) => [name, text]),
    ),
    request: { type: 'object', required: ['method', 'url'], properties: { method: text, url: text } },
    response: {
      type: 'object',
      required: ['status', 'traceId'],
      properties: { status: count, traceId: { type: ['string', 'null'] } },
    },
    exchange: count,
    calls: { type: 'array', items: text },
    needs: { type: 'object', required: ['setting'], properties: { setting: text, value: text } },
  },
};

const result = {
  type: 'object',
  required: ['id', 'level', 'title', 'source', 'verdict', 'findings', 'observed'],
  properties: {
    id: clause,
    level: { enum: ['must', 'should', 'gap'] },
    title: text,
    source: text,
    verdict: { enum: verdicts },
    findings: { type: 'array', items: finding },
    observed: {},
    waiver: { type: 'object', required: ['reason', 'expires'], properties: { reason: text, expires: text } },
  },
};

const conformance = {
  type: 'object',
  required: 'format suite startedAt durationMs seed targets conformant totals requests clauses'.split(' '),
  properties: {
    format: { const: 1 },
    suite: { type: 'object', required: ['name', 'version'], properties: { name: text, version: text } },
    startedAt: { type: 'string', format: 'date-time' },
    durationMs: { type: 'number', minimum: 0 },
    seed: { type: 'integer' },
    targets: {
      type: 'object',
      additionalProperties: { type: 'object', required: ['url'], properties: { url: text } },
    },
    conformant: { type: ['boolean', 'null'] },
    totals,
    requests: { type: 'object', required: ['developer', 'workspace'], additionalProperties: count },
    clauses: { type: 'array', items: result, minItems: clauses.length, maxItems: clauses.length },
  },
};

const waiver = {
  type: 'object',
  required: ['clause', 'reason', 'expires'],
  properties: {
    clause: { type: 'string', pattern: '\\S' },
    reason: { type: 'string', pattern: '\\S' },
    expires: { type: 'string', format: 'date' },
  },
};

/** A list of waivers, or one in an object. */
const waivers = {
  anyOf: [
    { type: 'array', items: waiver },
    {
      type: 'object',
      required: ['waivers'],
      properties: { $schema, waivers: { type: 'array', items: waiver } },
    },
  ],
};

/** The published JSON Schemas by the names of their files. */
export const schemaFiles: Readonly<Record<string, object>> = {
  'bodies.schema.json': JSON.parse(
    readFileSync(new URL('../settings/bodies.schema.json', import.meta.url), 'utf8'),
  ) as object,
  'waivers.schema.json': { $schema: draft, title: 'WAIVERS: known failures', ...waivers },
  'profile.schema.json': {
    $schema: draft,
    title: 'profile.json: what a deployment does where the documents are silent',
    ...profileSchema,
    properties: { $schema, ...profileSchema.properties },
  },
  'conformance.schema.json': { $schema: draft, title: 'conformance.json: the outcome of a run', ...conformance },
};

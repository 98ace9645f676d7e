import { validatorOf } from '../common/schema.ts';
import type { Compared } from './compare.ts';
import { profileOf } from './drift.ts';
import { type ClauseResult, type PastRun, type Since, verdicts } from './verdict.ts';

/** No conformance.json of this suite is larger, in bytes. */
export const largestReport = 50_000_000;

/** A run as read from its conformance.json: the parts that later runs look back at. */
export interface EarlierRun extends Compared {
  readonly conformant: boolean | null;
  readonly embedded: boolean;
  readonly targets: Readonly<Record<string, { readonly url: string }>>;
  readonly totals: PastRun['totals'];
  /** The runs before this one, the latest last. */
  readonly runs: readonly PastRun[];
  readonly last: Since['last'];
}

const totals = { type: 'object', additionalProperties: { type: 'integer' } };
const startedAt = { type: 'string' };
const conformant = { type: 'boolean', nullable: true };

const schema = {
  type: 'object',
  required: ['format', 'startedAt', 'clauses'],
  properties: {
    format: { const: 1 },
    startedAt,
    conformant,
    embedded: { type: 'boolean' },
    totals,
    targets: {
      type: 'object',
      additionalProperties: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
    },
    since: {
      type: 'object',
      nullable: true,
      required: ['runs'],
      properties: {
        last: { type: 'object', additionalProperties: { enum: [...verdicts, 'waived'] } },
        runs: {
          type: 'array',
          items: {
            type: 'object',
            required: ['startedAt', 'conformant', 'totals'],
            properties: { startedAt, conformant, totals },
          },
        },
      },
    },
    clauses: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'level', 'verdict', 'findings'],
        properties: {
          id: { type: 'string' },
          level: { type: 'string' },
          verdict: { enum: verdicts },
          findings: {
            type: 'array',
            items: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
          },
        },
      },
    },
  },
};

interface Report extends Partial<Pick<EarlierRun, 'conformant' | 'embedded' | 'targets' | 'totals'>> {
  readonly startedAt: string;
  readonly clauses: readonly ClauseResult[];
  readonly since?: (Pick<Since, 'runs'> & Partial<Pick<Since, 'last'>>) | null;
}

/** The run in a conformance.json. Throws an Error that says what is wrong with the file. */
export function parseRun(json: unknown): EarlierRun {
  const validate = validatorOf<Report>(schema);
  if (!validate(json)) {
    const [error] = validate.errors ?? [];
    throw new Error(`${error?.instancePath || 'it'} ${error?.message ?? 'is ill-formed'}`);
  }
  return {
    startedAt: json.startedAt,
    clauses: json.clauses,
    observed: profileOf(json.clauses),
    conformant: json.conformant ?? null,
    embedded: json.embedded ?? false,
    targets: json.targets ?? {},
    totals: json.totals ?? {},
    runs: json.since?.runs ?? [],
    last: json.since?.last ?? {},
  };
}

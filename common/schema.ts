import { Ajv, type ErrorObject } from 'ajv';
import type { Schema } from '../contract/schemas.ts';
import { at } from './json.ts';

// Its instance compiles each schema once; it holds nothing of a run. Checking our own schemas costs more than compiling them.
const ajv = new Ajv({ allErrors: true, validateSchema: false });

/** One thing in which a value differs from a schema. */
export interface Difference {
  /** JSON pointer, below the pointer given. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

/** A value as a finding shows it: JSON, cut where it is long. */
export function show(value: unknown, most = 120): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value));
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/** All differences of a value from a schema, one a place; `pointer` says where the value stands in the body. */
export function differences(schema: Schema, value: unknown, pointer: string): Difference[] {
  const validate = ajv.compile(schema);
  if (validate(value)) {
    return [];
  }
  const byPlace = new Map<string, Difference>();
  for (const error of validate.errors ?? []) {
    const difference = differenceOf(error, value, pointer);
    if (!byPlace.has(difference.place)) {
      byPlace.set(difference.place, difference);
    }
  }
  return [...byPlace.values()];
}

function differenceOf(error: ErrorObject, value: unknown, pointer: string): Difference {
  const params = error.params as { missingProperty?: string; type?: string | string[] };
  if (params.missingProperty !== undefined) {
    return {
      place: `${pointer}${error.instancePath}/${params.missingProperty}`,
      expected: 'present',
      actual: 'absent',
    };
  }
  const expected = params.type !== undefined ? [params.type].flat().join(' or ') : (error.message ?? error.keyword);
  return { place: `${pointer}${error.instancePath}`, expected, actual: show(at(value, error.instancePath)) };
}

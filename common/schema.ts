import { Ajv, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Schema } from '../contract/schemas.ts';
import { at } from './json.ts';

// Each schema is compiled once for all runs. Validating our own schemas would cost more than compiling them.
const ajv = new Ajv({ allErrors: true, strictTypes: false, validateSchema: false, verbose: true });
formats.default(ajv, ['date']);

/** The check of a schema, which is compiled when it is first asked for. */
export const validatorOf = <T>(schema: AnySchema): ValidateFunction<T> => ajv.compile<T>(schema);

/** One place where a value differs from a schema. */
export interface Difference {
  /** JSON pointer, which begins with the pointer that `differences` was given. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

/** A value as findings show it: JSON, cut after `most` characters. */
export function show(value: unknown, most = 120): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value));
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

/** The differences of a value from a schema, at most one for each place. `pointer` is the value's place in the body. */
export function differences(schema: Schema, value: unknown, pointer: string): Difference[] {
  const validate = validatorOf(schema);
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

import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { Schema } from '../contract/schemas.ts';
import { at } from './json.ts';
import { show } from './words.ts';

/** Each schema is compiled once for all runs. Validating our own schemas would cost more than compiling them. */
export const ajv = new Ajv({ allErrors: true, strictTypes: false, validateSchema: false, verbose: true });
formats.default(ajv, ['date', 'date-time']);

/** One place where a value differs from a schema. */
export interface Difference {
  /** JSON pointer, which begins with the pointer that `differences` was given. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

/** The differences of a value from a schema, at most one for each place. `pointer` is the value's place in the body. */
export function differences(schema: Schema, value: unknown, pointer: string): Difference[] {
  const validate = ajv.compile(schema);
  if (validate(value)) {
    return [];
  }
  const all = (validate.errors ?? []).map((error) => differenceOf(error, value, pointer));
  return [...Map.groupBy(all, ({ place }) => place).values()].flatMap(([first]) => first ?? []);
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

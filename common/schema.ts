import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Schema } from '../contract/schemas.ts';
import { at, pointerNames } from './json.ts';
import { nearestHint } from './nearest.ts';

// Each schema is compiled once for all runs. Validating our own schemas would cost more than compiling them.
const ajv = new Ajv({ allErrors: true, strictTypes: false, validateSchema: false, verbose: true });
formats.default(ajv, ['date']);

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

/** An error about a value of a JSON file, whose line and column `readJsonFile` adds. */
export class WrongAt extends Error {
  /** The names that lead to the value. */
  readonly pointer: readonly (string | number)[];
  constructor(pointer: WrongAt['pointer'], message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** The value, where it is as a schema says. Throws WrongAt, with what the schema's `description` says that it must be. */
export function checkedJson<T>(schema: AnySchemaObject, value: unknown): T {
  const validate: ValidateFunction<T> = ajv.compile<T>(schema);
  if (validate(value)) {
    return value;
  }
  const depthOf = ({ instancePath }: ErrorObject): number => pointerNames(instancePath).length;
  // Of several alternatives, the one that a value fits farthest was meant.
  const [error] = (validate.errors ?? []).toSorted((a, b) => depthOf(b) - depthOf(a)) as [ErrorObject];
  const names = pointerNames(error.instancePath);
  const params = error.params as { missingProperty?: string; additionalProperty?: string; allowedValues?: string[] };
  const { description, properties = {} } = error.parentSchema as AnySchemaObject;
  const name = params.additionalProperty ?? error.propertyName;
  if (name !== undefined) {
    const known = params.allowedValues ?? Object.keys(properties as object);
    const must = `must be one of ${known.join(', ')}`;
    throw new WrongAt([...names, name], `${JSON.stringify(name)}${nearestHint(name, known)} ${must}`);
  }
  const place = error.instancePath === '' ? 'it' : error.instancePath;
  const must = `must be ${description ?? error.message?.replace(/^must be /, '')}`;
  throw params.missingProperty === undefined
    ? new WrongAt(names, `${place}: got ${show(at(value, error.instancePath), 80)}, ${must}`)
    : new WrongAt(names, `${place}: ${params.missingProperty} is missing, ${must}`);
}

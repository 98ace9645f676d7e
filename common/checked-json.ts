import type { AnySchemaObject, ErrorObject } from 'ajv';
import { at, pointerNames } from './json.ts';
import { nearestHint } from './nearest.ts';
import { show, validatorOf } from './schema.ts';

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
  const validate = validatorOf<T>(schema);
  if (validate(value)) {
    return value;
  }
  const depthOf = ({ instancePath }: ErrorObject): number => pointerNames(instancePath).length;
  // Of several alternatives, the one that a value fits farthest was meant.
  const [first, ...others] = validate.errors ?? [];
  const error = others.reduce(
    (deepest, one) => (depthOf(one) > depthOf(deepest) ? one : deepest),
    first as ErrorObject,
  );
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

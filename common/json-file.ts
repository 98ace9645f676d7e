import { createRequire } from 'node:module';
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import { CannotRun, messageOf } from './cannot-run.ts';
import { readText } from './files.ts';
import { at, escapeToken, pointerNames } from './json.ts';
import { nearestHint } from './nearest.ts';
import { shortenKeyLike } from './redaction/key-like.ts';
import { ajv } from './schema.ts';
import { show } from './words.ts';

// Loaded where a file needs it: it is large, and most runs read none.
const load = createRequire(import.meta.url);

/** Reads the JSON file that a setting or an option names, as `readJsonAt` does. */
export const readJsonFile = <T>(setting: string, file: string, parse: (json: unknown) => T): T =>
  // A key may have been given in place of the file.
  readJsonAt(file, parse, `Cannot use ${setting} ${shortenKeyLike(file)}`);

/**
 * What `parse` makes of a JSON file. Throws CannotRun, in one line that begins with `cannot`, if the file cannot be read,
 * is not JSON, or `parse` throws. A WrongAt is shown with its line and column.
 */
export function readJsonAt<T>(file: string, parse: (json: unknown) => T, cannot: string): T {
  const text = withoutCommand(readText(file, cannot));
  const json = jsonIn(text, cannot);
  try {
    return parse(json);
  } catch (error) {
    const place = error instanceof WrongAt ? `${placeIn(text, error.pointer)}: ` : '';
    throw new CannotRun(`${cannot}: ${place}${messageOf(error)}`.replace(/\s+/g, ' '));
  }
}

/** What a command wrote, with blanks in place of the lines in which npm names the command: all else keeps its place. */
const withoutCommand = (text: string): string => text.replace(/^\s*(> .*\n)+/, (lines) => lines.replace(/[^\n]/g, ' '));

/** `line 3, column 5`: where the value at a pointer begins in a JSON text, or the nearest that contains it. */
function placeIn(text: string, names: WrongAt['pointer']): string {
  const { getLineColLocation, Source } = load('@redocly/openapi-core') as typeof import('@redocly/openapi-core');
  const pointer = `#/${names.map((name) => escapeToken(`${name}`)).join('/')}`;
  const { start } = getLineColLocation({ source: new Source('', text), pointer, reportOnKey: true });
  return `line ${start.line}, column ${start.col}`;
}

/** The JSON in a text. Throws CannotRun, in one line that begins with `cannot`, if it is none. */
export function jsonIn(text: string, cannot: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CannotRun(`${cannot}: it is not JSON: ${messageOf(error)}`.replace(/\s+/g, ' '));
  }
}

/** An error about a value of a JSON file, whose line and column `readJsonAt` adds. */
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

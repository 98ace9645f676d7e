import { at, type Found, isObject, scalarText, walk } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { notMetOf } from '../../results/drift.ts';
import type { RecordedResponse } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Description } from '../engine/judge-responses.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { kindOf } from '../shared/every-response.ts';

/**
 * What is wrong with a refusal's code, which may be in any field of the error (Errors, rule 2), in the words of a finding:
 * `error.code is "INSUFFICIENT_SCOPE"; a 403 needs FORBIDDEN`. null: nothing.
 */
export function codeTrouble({ status, json }: Pick<RecordedResponse, 'status' | 'json'>): Description | null {
  const error = at(json, '/error');
  const expected = developerErrorCodes[status] ?? 'no code';
  const found = isObject(error) ? codeIn(error, expected) : undefined;
  if (isObject(error) && (found === undefined ? isInText(error, expected) : isCode(found, expected))) {
    return null;
  }
  const lack = isObject(error) ? 'error has no code' : `error is ${kindOf(error)}`;
  const came = found && `error${found.pointer.replaceAll('/', '.')} is ${show(found.value, 40)}`;
  return {
    summary: `${came ?? lack}; a ${status} needs ${expected}`,
    expected,
    actual: show(found === undefined ? error : found.value, 80),
    place: `/error${found?.pointer ?? ''}`,
  };
}

const isCode = ({ name, value }: Found, code: string): boolean => value === code || name === code;

/**
 * The documented code, as a value or as the name of a field; otherwise a value that looks like a code: one word, best in
 * a field that is called so.
 */
function codeIn(error: object, code: string): Found | undefined {
  const values = walk(error);
  const words = values.filter(({ value }) => typeof value === 'string' && /^[A-Z_]+$/i.test(value));
  return (
    values.find(({ value }) => value === code) ??
    values.find(({ name }) => name === code) ??
    words.find(({ name }) => /code/i.test(name)) ??
    words[0]
  );
}

/** Whether a longer text contains the code: `"UNAUTHORIZED: the key is not valid"`, a URI that ends with it. */
const isInText = (error: object, code: string): boolean =>
  walk(error).some(
    ({ value }) => typeof value === 'string' && new RegExp(`(?<![A-Za-z_])${code}(?![A-Za-z_])`).test(value),
  );

/** Field names of errors by status, where code and message are, whether all are alike. Throws Inconclusive without errors. */
export function errorShape(exchanges: readonly Answered[]): Record<string, unknown> {
  const errors = exchanges.flatMap(({ response: { status, json } }) => {
    const error = at(json, '/error');
    if (status < 400 || !isObject(error)) {
      return [];
    }
    const values = walk(error).filter(({ value }) => typeof value !== 'object' || value === null);
    const isOfCode = ({ value }: Found): boolean => value === developerErrorCodes[status];
    const isText = (one: Found): boolean => !isOfCode(one) && /\s/.test(scalarText(one.value) ?? '');
    const placesOf = (isOne: (one: Found) => boolean) => values.filter(isOne).map(({ pointer }) => `/error${pointer}`);
    const shape = values.map(({ pointer }) => pointer).sort();
    return [{ status, shape: shape.join(' '), codes: placesOf(isOfCode), messages: placesOf(isText) }];
  });
  if (errors.length === 0) {
    const message = 'No failure of this run has an error object';
    throw new Inconclusive({ message, blames: 'developer.envelope.error-on-failure' });
  }
  const all = (texts: readonly string[]): string[] => [...new Set(texts)].sort();
  const shapesOf = (some: typeof errors): string[] => all(some.map(({ shape }) => shape));
  const byStatus = [...Map.groupBy(errors, ({ status }) => status)].map(([status, some]) => [status, shapesOf(some)]);
  return {
    // Keys that are numbers come in ascending order, whatever the order of insertion.
    fields: { ...notMetOf(Object.keys(developerErrorCodes)), ...Object.fromEntries(byStatus) },
    code: all(errors.flatMap(({ codes }) => codes)),
    message: all(errors.flatMap(({ messages }) => messages)),
    alike: shapesOf(errors).length === 1,
  };
}

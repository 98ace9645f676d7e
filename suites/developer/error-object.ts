import { at, type Found, isObject, scalarText, walk } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { notMetOf } from '../../results/drift.ts';
import type { RecordedResponse } from '../../results/exchange.ts';
import type { Description } from '../engine/judge-responses.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import { kindOf } from '../shared/every-response.ts';

/** What is wrong with a refusal's code, which may be in any field of the error (Errors, rule 2); null: nothing. */
export function codeTrouble({ status, json }: Pick<RecordedResponse, 'status' | 'json'>): string | null {
  const error = at(json, '/error');
  const code = developerErrorCodes[status];
  const wanted = `; a ${status} needs ${code}`;
  if (!isObject(error)) {
    return `error is ${kindOf(error)}${wanted}`;
  }
  const found = codeIn(error, code);
  if (found?.value === code || found?.name === code || (found === undefined && isInText(error, code))) {
    return null;
  }
  return found === undefined
    ? `error has no code${wanted}`
    : `error${found.pointer.replaceAll('/', '.')} is ${show(found.value, 40)}${wanted}`;
}

/**
 * The documented code, as a value or as the name of a field; otherwise a value that looks like a code: one word, best in
 * a field that is called so.
 */
function codeIn(error: object, code: string | undefined): Found | undefined {
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
const isInText = (error: object, code: string | undefined): boolean =>
  walk(error).some(
    ({ value }) => typeof value === 'string' && new RegExp(`(?<![A-Za-z_])${code}(?![A-Za-z_])`).test(value),
  );

/** The texts of a finding on a wrong code: `error.code is "INSUFFICIENT_SCOPE"; a 403 needs FORBIDDEN`. */
export function codeFinding({ response }: Answered): Description {
  const expected = developerErrorCodes[response.status] ?? 'no code';
  const error = at(response.json, '/error');
  const found = isObject(error) ? codeIn(error, expected) : undefined;
  return {
    summary: codeTrouble(response) ?? '',
    expected,
    actual: show(found === undefined ? error : found.value, 80),
    place: `/error${found?.pointer ?? ''}`,
  };
}

/** Field names of errors by status, where code and message are, whether all are alike; null: there were no errors. */
export function errorShape(exchanges: readonly Answered[]): Record<string, unknown> | null {
  const errors = exchanges.flatMap(({ response: { status, json } }) => {
    const error = at(json, '/error');
    const values = isObject(error)
      ? walk(error).filter(({ value }) => typeof value !== 'object' || value === null)
      : [];
    const isCode = ({ value }: Found): boolean => value === developerErrorCodes[status];
    const isText = (one: Found): boolean => !isCode(one) && /\s/.test(scalarText(one.value) ?? '');
    const placesOf = (some: readonly Found[]): string[] => some.map(({ pointer }) => `/error${pointer}`);
    const shape = values.map(({ pointer }) => pointer).sort();
    const places = { codes: placesOf(values.filter(isCode)), messages: placesOf(values.filter(isText)) };
    return status < 400 || !isObject(error) ? [] : [{ status, shape: shape.join(' '), ...places }];
  });
  const shapesOf = (some: typeof errors): string[] => [...new Set(some.map(({ shape }) => shape))].sort();
  const byStatus = [...Map.groupBy(errors, ({ status }) => status)].map(([status, some]) => [status, shapesOf(some)]);
  return errors.length === 0
    ? null
    : {
        // Keys that are numbers come in ascending order, whatever the order of insertion.
        fields: { ...notMetOf(Object.keys(developerErrorCodes)), ...Object.fromEntries(byStatus) },
        code: [...new Set(errors.flatMap(({ codes }) => codes))].sort(),
        message: [...new Set(errors.flatMap(({ messages }) => messages))].sort(),
        alike: shapesOf(errors).length === 1,
      };
}

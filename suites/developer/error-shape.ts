import { at, isObject, walk } from '../../common/json.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import type { Answered } from '../engine/every-response.ts';

/** Field names of the error object by status, where the code and the message sit, and whether all errors are alike; null: there is none. */
export function errorShape(exchanges: readonly Answered[]): Record<string, unknown> | null {
  const failures = exchanges.filter(({ response }) => response.status >= 400 && isObject(at(response.json, '/error')));
  const shapes = new Map<number, Set<string>>();
  const codes = new Set<string>();
  const messages = new Set<string>();
  for (const { response } of failures) {
    const found = walk(at(response.json, '/error')).filter(({ value }) => typeof value !== 'object' || value === null);
    const fields = found
      .map(({ pointer }) => pointer)
      .sort()
      .join(' ');
    shapes.set(response.status, (shapes.get(response.status) ?? new Set()).add(fields));
    for (const { pointer, value } of found) {
      if (value === developerErrorCodes[response.status]) {
        codes.add(`/error${pointer}`);
      } else if (/\s/.test(String(value))) {
        messages.add(`/error${pointer}`);
      }
    }
  }
  // Object.fromEntries puts the statuses in order.
  return failures.length === 0
    ? null
    : {
        fields: Object.fromEntries([...shapes].map(([status, set]) => [status, [...set].sort()])),
        code: [...codes].sort(),
        message: [...messages].sort(),
        alike: new Set([...shapes.values()].flatMap((set) => [...set])).size === 1,
      };
}

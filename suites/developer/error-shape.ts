import { developerErrorCodes } from '../../contract/errors.ts';
import type { Answered } from '../kit/every-response.ts';
import { at, walk } from '../kit/search.ts';

/** Field names of the error object by status, where the code and the message sit, and whether all errors are alike. */
export function errorShape(failures: readonly Answered[]): Record<string, unknown> {
  const shapes = new Map<number, Set<string>>();
  const codes = new Set<string>();
  const messages = new Set<string>();
  for (const { response } of failures) {
    const found = walk(at(response.json, '/error')).filter(({ pointer, value }) => pointer !== '' && (typeof value !== 'object' || value === null));
    const fields = found.map(({ pointer }) => pointer).sort().join(' ');
    shapes.set(response.status, (shapes.get(response.status) ?? new Set()).add(fields));
    for (const { pointer, value } of found) {
      if (value === developerErrorCodes[response.status]) codes.add(`/error${pointer}`);
      else if (typeof value === 'string' && /\s/.test(value)) messages.add(`/error${pointer}`);
    }
  }
  return {
    fields: Object.fromEntries([...shapes].sort(([a], [b]) => a - b).map(([status, set]) => [status, [...set].sort()])),
    code: [...codes].sort(), message: [...messages].sort(),
    alike: new Set([...shapes.values()].flatMap((set) => [...set])).size === 1,
  };
}

import { isObject, type JsonObject, walk } from '../../../../common/json.ts';

/**
 * A row with its fields at the top, each its value: some rows keep them in an object (`_source`, `attributes`), some values are told as
 * `{"stringValue": "confirmed"}`.
 */
export function plainRow(row: JsonObject): JsonObject {
  const fields = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toldValue(value)]));
  const all = leavesOf(fields);
  const [name, inner] = Object.entries(fields).find(([, value]) => isObject(value) && leavesOf(value) * 2 > all) ?? [];
  if (name === undefined || !isObject(inner)) {
    return fields;
  }
  const { [name]: _, ...beside } = fields;
  return { ...plainRow(inner), ...beside };
}

const isLeaf = (value: unknown): boolean => typeof value !== 'object' || value === null;

const leavesOf = (value: unknown): number => walk(value).filter((found) => isLeaf(found.value)).length;

/** What an object stands for that holds nothing but one value. */
function toldValue(value: unknown): unknown {
  if (!isObject(value)) {
    return value;
  }
  const [only, ...others] = Object.values(value);
  return others.length === 0 && only !== undefined && isLeaf(only)
    ? only
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toldValue(one)]));
}

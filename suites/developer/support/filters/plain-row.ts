import { isObject, type JsonObject, walk } from '../../../../common/json.ts';

/** A row with its fields taken out of an object (`attributes`) and its values out of `{"stringValue": "new"}`. */
export function plainRow(row: JsonObject): JsonObject {
  const fields = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, unwrapped(value)]));
  const half = leafCount(fields) / 2;
  const [name, inner] = Object.entries(fields).find(([, value]) => isObject(value) && leafCount(value) > half) ?? [];
  if (name === undefined || !isObject(inner)) {
    return fields;
  }
  const { [name]: _, ...others } = fields;
  return { ...plainRow(inner), ...others };
}

const isLeaf = (value: unknown): boolean => typeof value !== 'object' || value === null;

const leafCount = (value: unknown): number => walk(value).filter((found) => isLeaf(found.value)).length;

/** A value, with every object within it that contains one leaf and nothing else replaced by that leaf. */
function unwrapped(value: unknown): unknown {
  if (!isObject(value)) {
    return value;
  }
  const [only, ...others] = Object.values(value);
  return others.length === 0 && only !== undefined && isLeaf(only)
    ? only
    : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unwrapped(one)]));
}

import { scalarText, walk } from '../../common/json.ts';

/** Whether a value is an id, or a path that ends with it. */
export function holdsId(value: unknown, id: string): boolean {
  const text = scalarText(value);
  return text === id || (text?.endsWith(`/${id}`) ?? false);
}

/** Whether an id is anywhere in a document. */
export const showsId = (json: unknown, id: string): boolean => walk(json).some(({ value }) => holdsId(value, id));

/** The names of the fields in which a document shows an id. */
export function namesOfId(json: unknown, id: string): readonly string[] {
  const found = walk(json).filter(({ name, value }) => holdsId(value, id) && !isPlaceInList(name));
  return [...new Set(found.map(({ name }) => name))];
}

const isPlaceInList = (name: string): boolean => /^\d+$/.test(name);

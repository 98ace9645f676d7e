import { at, isRows, type JsonObject, pointerNames } from '../../common/json.ts';
import { type Shape, type Shapes, shapeName } from '../../settings/bodies-file.ts';
import { recordIn } from './record.ts';
import { findMainList } from './rows.ts';

/** What the user, or the deployment's own document, says about the answers of a call; undefined: nothing. */
export const shapeOf = (shapes: Shapes, endpoint: string | null): Shape | undefined =>
  endpoint === null ? undefined : shapes[shapeName(endpoint.split(' ')[1] ?? '')];

/** What an answer shows, read at the places that its shape names. */
export interface Shaped {
  /** The payload, with each id in a field `id`, and the rows as a list: where convention looks for them. */
  readonly payload: unknown;
  /** How the list goes on; undefined: the shape does not say. */
  readonly next: { readonly name: string; readonly value: unknown } | undefined;
}

/** Reads an answer by its shape. What does not stand at the named place is read by convention. */
export function readByShape(
  shape: Shape | undefined,
  endpoint: string | null,
  json: unknown,
  payload: unknown,
): Shaped {
  if (shape === undefined || endpoint === null) {
    return { payload, next: undefined };
  }
  const [method = '', path = ''] = endpoint.split(' ');
  const isList = method === 'GET' && !path.includes(':id');
  const noun = shapeName(path).replace(/s$/, '');
  const { next } = shape;
  return {
    payload: isList ? shapedList(shape, json, payload, noun) : shapedRecord(shape, payload, noun),
    next: next === undefined || !isList ? undefined : { name: pointerNames(next).at(-1) ?? '', value: at(json, next) },
  };
}

function shapedList(shape: Shape, json: unknown, payload: unknown, noun: string): unknown {
  const there = shape.rows === undefined ? findMainList(payload, noun)?.rows : at(json, shape.rows);
  return isRows(there) ? there.map((row) => withId(shape, row)) : payload;
}

function shapedRecord(shape: Shape, payload: unknown, noun: string): unknown {
  const record = recordIn(payload, noun);
  return record === undefined || shape.id === undefined ? payload : withId(shape, record);
}

function withId({ id: place }: Shape, record: JsonObject): JsonObject {
  const id = place === undefined ? undefined : at(record, place);
  return id === undefined ? record : { ...record, id };
}

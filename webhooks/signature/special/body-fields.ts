import { escapeToken, parentOf } from '../../../common/json.ts';
import { type Ingredient, literal, valueAt } from '../read/ingredient.ts';
import { type Leaf, leavesOf } from '../read/leaves.ts';
import { body, bodyPiece, type Recipe, tryRecipes } from '../recipe.ts';
import type { Match, Search } from '../scene.ts';
import { queryOf } from '../source.ts';

/** Finds a signed manifest of values, `id:…;request-id:…;ts:…;`, which leaves the body out. */
export function findManifest(search: Search): Match[] {
  const { ingredients, delivery, bodies } = search.scene;
  const dataIds = [
    ...queryOf(delivery.url)
      .filter(([name]) => /(^|\.)id$/.test(name))
      .map(([name, text]) => valueAt('field', { in: 'query', name }, text)),
    ...leavesOf(bodies.parsed)
      .filter(({ pointer }) => ['/data/id', '/id'].includes(pointer))
      .map(({ pointer, text }) => valueAt('field', { in: 'body', pointer }, text)),
  ].slice(0, 4);
  const recipes = dataIds.flatMap((id) =>
    ingredients.ids.flatMap((requestId) =>
      ingredients.timestamps.map(
        (time): Recipe => [literal('id:'), id, literal(';request-id:'), requestId, literal(';ts:'), time, literal(';')],
      ),
    ),
  );
  return tryRecipes(search, recipes, []);
}

/** The fields that a payment service joins with colons and signs, in its order. */
const joinedFields = [
  'pspReference',
  'originalReference',
  'merchantAccountCode',
  'merchantReference',
  'amount/value',
  'amount/currency',
  'eventCode',
  'success',
];

/** Finds a signature inside the body over one or two fields beside it, or over a known list of fields. */
export function findBodyFields(search: Search): Match[] {
  const leaves = leavesOf(search.scene.bodies.parsed);
  const parents = [...search.scene.wanted.values()]
    .flat()
    .flatMap(({ source }) => (source.in === 'body' && source.pointer !== '' ? [parentOf(source.pointer)] : []))
    .slice(0, 4);
  const near = (parent: string): Leaf[] => leaves.filter(({ pointer }) => parentOf(pointer) === parent).slice(0, 12);
  const recipes = parents.flatMap((parent) => [
    ...pairs(near(parent)),
    ...fieldList(parentOf(parent), leaves),
    ...fieldList(parent, leaves),
  ]);
  return [...findJsonJws(search, parents.flatMap(near)), ...tryRecipes(search, recipes, [])];
}

/** What may be between two signed fields. */
const separators = ['', '.', ':', '|'];

/**
 * Finds a signature over a field and the text that holds the payload, as of a JWS in its JSON serialisation (RFC 7515):
 * over its protected header and its payload.
 */
function findJsonJws(search: Search, near: readonly Leaf[]): Match[] {
  const payload = search.scene.bodies.of('json-inside');
  const recipes = near.flatMap((leaf) => separators.map((one): Recipe => [fieldOf(leaf), literal(one), body]));
  return payload === undefined ? [] : tryRecipes(search, recipes, [bodyPiece('json-inside', payload)]);
}

const fieldOf = ({ pointer, text }: Leaf): Ingredient => valueAt('field', { in: 'body', pointer }, text);

function pairs(near: readonly Leaf[]): Recipe[] {
  const fields = near.map(fieldOf);
  return fields.flatMap((first) =>
    fields
      .filter((second) => second !== first)
      .flatMap((second) => separators.map((separator) => [first, literal(separator), second])),
  );
}

function fieldList(parent: string, leaves: readonly Leaf[]): Recipe[] {
  const found = joinedFields.map((name) => {
    const pointer = `${parent}/${name.split('/').map(escapeToken).join('/')}`;
    const leaf = leaves.find((one) => one.pointer === pointer);
    return leaf === undefined ? literal('') : fieldOf(leaf);
  });
  return found.every(({ text }) => text === '')
    ? []
    : [found.flatMap((one, at) => (at === 0 ? [one] : [literal(':'), one]))];
}

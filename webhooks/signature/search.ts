import type { Bodies } from './bodies.ts';
import { bodiesOf } from './bodies.ts';
import type { Budget } from './budget.ts';
import type { Recipe } from './contents.ts';
import { bodilessPatterns, commonPatterns, everyOrder, fillPattern, joinLiterals, literalRecipes } from './contents.ts';
import type { Delivery } from './delivery.ts';
import type { Ingredient, Ingredients } from './ingredients.ts';
import { gatherIngredients } from './ingredients.ts';
import type { Key } from './keys.ts';
import { parseBody } from './leaves.ts';
import type { BodyForm, Content, KeyForm, Part } from './scheme.ts';
import { findSpecials } from './specials.ts';
import type { Token } from './tokens.ts';
import { findTokens } from './tokens.ts';

/** A token explained: under this key form, this content gives its bytes. */
export interface Match {
  readonly token: Token;
  readonly key: KeyForm;
  readonly content: Content;
}

/** One delivery laid out for the search, which is done once however often it is searched. */
export interface Scene {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
  readonly ingredients: Ingredients;
  readonly bodies: Bodies;
  /** The 32-byte tokens by their bytes in hex. */
  readonly wanted: ReadonlyMap<string, readonly Token[]>;
}

export function layOut(delivery: Delivery): Scene {
  const parsed = parseBody(delivery);
  const tokens = findTokens(delivery, parsed);
  const wanted = new Map<string, Token[]>();
  for (const token of tokens.filter(({ bytes }) => bytes.length === 32)) {
    const hex = token.bytes.toString('hex');
    wanted.set(hex, [...(wanted.get(hex) ?? []), token]);
  }
  const inBody = tokens.find(({ source, bytes }) => source.in === 'body' && bytes.length === 32)?.source;
  const bodies = bodiesOf(delivery, parsed, inBody?.in === 'body' ? inBody.pointer : undefined);
  return { delivery, tokens, ingredients: gatherIngredients(delivery, tokens), bodies, wanted };
}

/**
 * Stages in order of likelihood; the first that explains a token ends the search. Within a stage every content and key is
 * tried, so that a second signature in the same delivery is found as well.
 */
export function searchCommon(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  if (scene.wanted.size === 0) {
    return [];
  }
  const { ingredients, bodies } = scene;
  const raw = bodies.of('raw') ?? Buffer.alloc(0);
  const common = (): Recipe[] => commonPatterns.flatMap((pattern) => fillPattern(pattern, ingredients));
  const stages: (() => Match[])[] = [
    () => tryRecipes(scene, common(), 'raw', raw, keys, budget),
    () => findSpecials(scene, keys, budget),
    () => tryRecipes(scene, literalRecipes, 'raw', raw, keys, budget),
    () =>
      bodies
        .distinct()
        .filter(({ form }) => form !== 'raw' && form !== 'empty')
        .flatMap(({ form, bytes }) => tryRecipes(scene, common(), form, bytes, keys, budget)),
    () =>
      tryRecipes(
        scene,
        bodilessPatterns.flatMap((pattern) => fillPattern(pattern, ingredients)),
        'empty',
        Buffer.alloc(0),
        keys,
        budget,
      ),
    () => (raw.length === 0 ? [] : tryRecipes(scene, common(), 'empty', Buffer.alloc(0), keys, budget)),
  ];
  return firstFound(stages);
}

/** Every order of up to three ingredients with the raw body: what home-made senders do. */
export function searchEveryOrder(scene: Scene, keys: readonly Key[], budget: Budget): Match[] {
  if (scene.wanted.size === 0) {
    return [];
  }
  const usual = keys.filter(({ form }) => !form.decode.startsWith('sha256'));
  return tryRecipes(
    scene,
    everyOrder(scene.ingredients),
    'raw',
    scene.bodies.of('raw') ?? Buffer.alloc(0),
    usual,
    budget,
  );
}

function firstFound(stages: readonly (() => Match[])[]): Match[] {
  for (const stage of stages) {
    const found = stage();
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

function tryRecipes(
  scene: Scene,
  recipes: Iterable<Recipe>,
  form: BodyForm,
  body: Buffer,
  keys: readonly Key[],
  budget: Budget,
): Match[] {
  const found: Match[] = [];
  const open = new Set(scene.wanted.keys());
  for (const recipe of recipes) {
    const before = textOf(recipe.before);
    const after = textOf(recipe.after);
    const bytes = before.length + after.length + (recipe.body ? body.length : 0);
    budget.content();
    for (const key of keys) {
      const digest = budget.hmac(key.object, recipe.body ? [before, body, after] : [before, after], bytes);
      if (digest === undefined) {
        return found;
      }
      const tokens = open.has(digest) ? scene.wanted.get(digest) : undefined;
      if (tokens === undefined) {
        continue;
      }
      open.delete(digest);
      const content: Content = { kind: 'parts', parts: partsOf(recipe, form) };
      found.push(...tokens.map((token) => ({ token, key: key.form, content })));
      if (open.size === 0) {
        return found;
      }
      budget.tighten(64 * 1_048_576);
    }
  }
  return found;
}

const textOf = (ingredients: readonly Ingredient[]): string => ingredients.map(({ text }) => text).join('');

function partsOf(recipe: Recipe, form: BodyForm): Part[] {
  const parts = (some: readonly Ingredient[]): Part[] => some.map(({ part }) => part);
  return joinLiterals([
    ...parts(recipe.before),
    ...(recipe.body ? [{ kind: 'body', form } as const] : []),
    ...parts(recipe.after),
  ]);
}

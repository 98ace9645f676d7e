import type { Delivery } from './delivery.ts';
import { type Bodies, bodiesOf } from './read/bodies.ts';
import { gatherIngredients, type Ingredients } from './read/ingredients.ts';
import type { Key, KeyForm } from './read/keys.ts';
import { leavesOf, parseBody } from './read/leaves.ts';
import { findTokens, macBytes, type Token } from './read/tokens.ts';
import type { Content } from './scheme.ts';
import type { Budget } from './search/budget.ts';

/** A delivery with everything that was read from it. It is read once, however often it is searched. */
export interface Scene {
  readonly delivery: Delivery;
  readonly tokens: readonly Token[];
  readonly ingredients: Ingredients;
  readonly bodies: Bodies;
  /** The tokens that have the size of an HMAC-SHA256, by their bytes in hex. */
  readonly wanted: ReadonlyMap<string, readonly Token[]>;
}

/** Reads a delivery for the search. */
export function layOut(delivery: Delivery): Scene {
  const parsed = parseBody(delivery);
  const leaves = leavesOf(parsed);
  const tokens = findTokens(delivery, leaves);
  const sized = tokens.filter(({ bytes }) => bytes.length === macBytes);
  const inBody = sized.find(({ source }) => source.in === 'body')?.source;
  return {
    delivery,
    tokens,
    ingredients: gatherIngredients(delivery, tokens, leaves),
    bodies: bodiesOf(delivery, parsed, inBody?.in === 'body' ? inBody.pointer : undefined),
    wanted: Map.groupBy(sized, ({ bytes }) => bytes.toString('hex')),
  };
}

/** The explanation of a token: its bytes are the HMAC of this content under a key of this form. */
export interface Match {
  readonly token: Token;
  readonly key: KeyForm;
  readonly content: Content;
}

/** What is searched: a delivery, under which keys, and within which budget. */
export interface Search {
  readonly scene: Scene;
  readonly keys: readonly Key[];
  readonly budget: Budget;
  /** Whether the contents were already tried under other keys, and so are not counted again. */
  readonly isAgain?: boolean;
}

/** The tokens that are the HMAC of the joined pieces under one of the keys. */
export function explain(
  { scene, keys, budget, isAgain = false }: Search,
  pieces: readonly (Buffer | string)[],
): readonly Pick<Match, 'token' | 'key'>[] {
  if (!isAgain) {
    budget.content();
  }
  for (const key of keys) {
    const digest = budget.hmac(key, pieces);
    const tokens = digest === undefined ? undefined : scene.wanted.get(digest);
    if (tokens !== undefined) {
      return tokens.map((token) => ({ token, key: key.form }));
    }
  }
  return [];
}

/** The tokens that are the HMAC of a content, as matches; none if the content does not exist for this delivery. */
export const explainContent = (search: Search, content: Content, bytes: Buffer | string | undefined): Match[] =>
  bytes === undefined ? [] : explain(search, [bytes]).map((found) => ({ ...found, content }));

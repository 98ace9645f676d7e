import type { BodyForm } from './read/body-forms.ts';
import type { Ingredient } from './read/ingredient.ts';
import { explain, type Match, type Search } from './scene.ts';
import type { Part } from './scheme.ts';

/** The place of the body in a recipe; several of its forms may be tried there. */
export const body = 'body';

/** A content to try: ingredients in order, and the body at most once. */
export type Recipe = readonly (Ingredient | typeof body)[];

/** A form of the body with its bytes in this delivery, and its parts: with text around it, these are several. */
export interface BodyPiece {
  readonly parts: readonly Part[];
  readonly bytes: Buffer;
  /**
   * Whether it is tried only at the end of a content. Before anything else it would be the same as the body and a
   * literal.
   */
  readonly onlyLast: boolean;
}

export const bodyPiece = (form: BodyForm, bytes: Buffer): BodyPiece => ({
  parts: [{ kind: 'body', form }],
  bytes,
  onlyLast: form === 'newline-added',
});

/** An empty text in place of the body. */
export const noBody: BodyPiece = bodyPiece('empty', Buffer.alloc(0));

/** How many more bytes are hashed after a token is explained, to find a second signature in the same delivery. */
const afterwards = 64 * 1_048_576;

/** Tries each recipe with each form of the body until all tokens are explained or the budget is spent. */
export function tryRecipes(search: Search, recipes: Iterable<Recipe>, forms: readonly BodyPiece[]): Match[] {
  const found: Match[] = [];
  const open = new Set(search.scene.wanted.keys());
  for (const recipe of recipes) {
    const at = recipe.indexOf(body);
    const before = textOf(at < 0 ? recipe : recipe.slice(0, at));
    const after = at < 0 ? '' : textOf(recipe.slice(at + 1));
    for (const form of at < 0 ? [noBody] : forms) {
      if (form.onlyLast && at < recipe.length - 1) {
        continue;
      }
      const matches = explain(search, at < 0 ? [before] : [before, form.bytes, after]);
      if (matches.some(({ token }) => open.delete(token.bytes.toString('hex')))) {
        const parts = joinLiterals(recipe.flatMap((one) => (one === body ? form.parts : [one.part])));
        found.push(...matches.map((one): Match => ({ ...one, content: { kind: 'parts', parts } })));
        search.budget.tighten(afterwards);
      }
      if (search.budget.spent || open.size === 0) {
        return found;
      }
    }
  }
  return found;
}

const textOf = (recipe: Recipe): string => recipe.map((one) => (one === body ? '' : one.text)).join('');

/** The parts with adjacent literals joined and empty ones left out, so that equal contents have equal parts. */
function joinLiterals(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind !== 'literal') {
      joined.push(part);
    } else if (last?.kind === 'literal') {
      joined[joined.length - 1] = { kind: 'literal', text: last.text + part.text };
    } else if (part.text !== '') {
      joined.push(part);
    }
  }
  return joined;
}

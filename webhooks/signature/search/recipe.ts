import type { BodyForm } from '../read/body-forms.ts';
import type { Ingredient } from '../read/ingredient.ts';
import type { Part } from '../scheme.ts';
import { explain, type Match, type Search } from './scene.ts';

/** Stands in a recipe for the body, whichever of its forms is tried. */
export const body = 'body';

/** A content to try: ingredients in order, with the body once among them or not at all. */
export type Recipe = readonly (Ingredient | typeof body)[];

/** A form of the body with its bytes in this delivery, and what stands around it as long as it is in the content. */
export interface BodyPiece {
  readonly parts: readonly Part[];
  readonly bytes: Buffer;
  /** In front of anything else it would say the same as a literal between the two. */
  readonly onlyLast: boolean;
}

export const bodyPiece = (form: BodyForm, bytes: Buffer): BodyPiece => ({
  parts: [{ kind: 'body', form }],
  bytes,
  onlyLast: form === 'newline-added',
});

/** Nothing in the place of the body. */
export const noBody: BodyPiece = bodyPiece('empty', Buffer.alloc(0));

/** How many further bytes are hashed once a token is explained: for a second signature in the same delivery. */
const afterwards = 64 * 1_048_576;

/** Tries each recipe with each form of the body until every token is explained. */
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

/** Adjacent literals become one and empty ones none, so that equal contents are equal parts. */
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

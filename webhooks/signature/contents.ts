import type { Ingredient, Ingredients } from './ingredients.ts';
import type { Part } from './scheme.ts';

/** A content to try: what goes before and after the body. `null` as body means that the body is not in it. */
export interface Recipe {
  readonly before: readonly Ingredient[];
  readonly after: readonly Ingredient[];
  readonly body: boolean;
}

const literal = (text: string): Ingredient => ({ part: { kind: 'literal', text }, text });

/**
 * A pattern writes a content in one letter an ingredient: B body, T timestamp, I id, U URL as registered, M method,
 * P path, L label; everything else is itself. In order of how often services use them.
 */
export const commonPatterns = [
  'B',
  'T.B',
  'I.T.B',
  'L:T:B',
  'T:B',
  'TB',
  'BT',
  'L.T.B',
  'ITB',
  'T.I.B',
  'B.I.T',
  'T,B',
  'T\nB',
  'UB',
  'MUBT',
  'MB',
] as const;

/** Contents that do not hold the body: a match of one of these is a finding. */
export const bodilessPatterns = [
  'T',
  'I',
  'I.T',
  'T.I',
  'IT',
  'TI',
  'L:T',
  'T.',
  'I.T.',
  'L:T:',
  'T:',
  'U',
  'MU',
  'MUT',
] as const;

/** Every filling of a pattern with a delivery's ingredients. */
export function fillPattern(pattern: string, from: Ingredients): Recipe[] {
  let recipes: { steps: readonly (Ingredient | 'body')[] }[] = [{ steps: [] }];
  for (const letter of pattern) {
    const choices = choicesOf(letter, from);
    recipes = recipes.flatMap(({ steps }) => choices.map((choice) => ({ steps: [...steps, choice] })));
  }
  return recipes.map(({ steps }) => recipeOf(steps));
}

function choicesOf(letter: string, from: Ingredients): readonly (Ingredient | 'body')[] {
  if (letter === 'B') {
    return ['body'];
  }
  if (letter === 'T') {
    return from.timestamps;
  }
  if (letter === 'I') {
    return from.ids;
  }
  if (letter === 'U') {
    return from.urls;
  }
  if (letter === 'P') {
    return from.paths;
  }
  if (letter === 'L') {
    return from.labels;
  }
  return [letter === 'M' ? from.method : literal(letter)];
}

/** A recipe of steps in order; the body stands in it once or not at all. */
export function recipeOf(steps: readonly (Ingredient | 'body')[]): Recipe {
  const at = steps.indexOf('body');
  const only = (some: readonly (Ingredient | 'body')[]): Ingredient[] => some.filter((step) => step !== 'body');
  return at < 0
    ? { before: only(steps), after: [], body: false }
    : { before: only(steps.slice(0, at)), after: only(steps.slice(at + 1)), body: true };
}

/** Words that services are known to put right before the body. */
export const literalRecipes: readonly Recipe[] = [
  'POST',
  'post',
  'hmacsha256=',
  'sha256=',
  'v1:',
  'v0:',
  'v1.',
  'v1=',
].map((text) => ({ before: [literal(text)], after: [], body: true }));

const separators = ['', '.', ':', '\n', '|', ',', ';', '&', '-', ' '] as const;

/** The last resort: every order of up to three kinds of ingredient with the body, under ten separators. */
export function* everyOrder(from: Ingredients): Generator<Recipe> {
  const kinds = [
    from.timestamps.slice(0, 3),
    from.ids.slice(0, 3),
    [from.method],
    from.urls.slice(0, 2),
    from.paths,
    from.labels.slice(0, 2),
  ];
  for (const size of [1, 2, 3]) {
    for (const chosen of picks(kinds, size)) {
      for (const order of orders<Ingredient | 'body'>([...chosen, 'body'])) {
        for (const separator of separators) {
          yield recipeOf(
            order.flatMap((step, index) => (index > 0 && separator !== '' ? [literal(separator), step] : [step])),
          );
        }
      }
    }
  }
}

/** Every choice of `size` kinds with one ingredient of each. */
function* picks(kinds: readonly (readonly Ingredient[])[], size: number): Generator<readonly Ingredient[]> {
  if (size === 0) {
    yield [];
  }
  for (const [index, kind] of size === 0 ? [] : kinds.entries()) {
    for (const first of kind) {
      for (const rest of picks(kinds.slice(index + 1), size - 1)) {
        yield [first, ...rest];
      }
    }
  }
}

function* orders<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) {
    yield items;
  } else {
    for (const [index, first] of items.entries()) {
      for (const rest of orders(items.filter((_, other) => other !== index))) {
        yield [first, ...rest];
      }
    }
  }
}

/** Adjacent literals become one and empty ones none, so that equal contents are equal parts. */
export function joinLiterals(parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'literal' && part.text === '') {
      continue;
    }
    if (part.kind === 'literal' && last?.kind === 'literal') {
      joined[joined.length - 1] = { kind: 'literal', text: last.text + part.text };
    } else {
      joined.push(part);
    }
  }
  return joined;
}

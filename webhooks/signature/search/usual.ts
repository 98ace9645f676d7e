import { type Ingredient, literal } from '../read/ingredient.ts';
import type { Ingredients } from '../read/ingredients.ts';
import { body, type Recipe } from '../recipe.ts';

/**
 * Patterns of contents, with one letter for each ingredient: B body, T timestamp, I id, U URL as registered, M method,
 * L label. All other characters stand for themselves. The patterns most services use come first. `compositions.ts`
 * covers all of them too, so they only make the search find common contents sooner.
 */
const commonPatterns = [
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
  'T\nB\n',
  'UB',
  'MUBT',
  'MB',
] as const;

/** Patterns without the body. A match of one of these is a defect of the deployment. */
const bodilessPatterns = [
  'T',
  'I',
  ...['', '.', '\n', ':', '|', ',', ';', ' '].flatMap((joiner) => [`I${joiner}T`, `T${joiner}I`]),
  'L:T',
  'T.',
  'I.T.',
  'L:T:',
  'T:',
  'U',
  'MU',
  'MUT',
];

export const commonRecipes = (from: Ingredients): Recipe[] =>
  commonPatterns.flatMap((pattern) => fillPattern(pattern, from));

/** Like `commonRecipes`, with only the likeliest ingredients; for forms of the body that few services sign. */
export const likeliestRecipes = ({ timestamps, ids, urls, labels, ...from }: Ingredients): Recipe[] =>
  commonRecipes({
    ...from,
    timestamps: timestamps.slice(0, 3),
    ids: ids.slice(0, 3),
    urls: urls.slice(0, 1),
    labels: labels.slice(0, 2),
  });

export const bodilessRecipes = (from: Ingredients): Recipe[] =>
  bodilessPatterns.flatMap((pattern) => fillPattern(pattern, from));

const signs = ['', '=', ':', '.'] as const;

/** Recipes of a word and the body. */
export const wordRecipes = (from: Ingredients): Recipe[] =>
  from.words.flatMap((word) => signs.map((sign) => [word, literal(sign), body]));

/** The recipes that a pattern stands for, with a delivery's ingredients. */
function fillPattern(pattern: string, from: Ingredients): Recipe[] {
  let recipes: Recipe[] = [[]];
  for (const letter of pattern) {
    const choices = choicesOf(letter, from);
    recipes = recipes.flatMap((steps) => choices.map((choice) => [...steps, choice]));
  }
  return recipes;
}

function choicesOf(letter: string, from: Ingredients): readonly (Ingredient | typeof body)[] {
  const letters: Readonly<Record<string, readonly (Ingredient | typeof body)[]>> = {
    B: [body],
    T: from.timestamps,
    I: from.ids,
    U: from.urls,
    L: from.labels,
    M: [from.method],
  };
  return letters[letter] ?? [literal(letter)];
}

import { type Ingredient, literal } from '../read/ingredient.ts';
import type { Ingredients } from '../read/ingredients.ts';
import { body, type Recipe } from './recipe.ts';

/**
 * A pattern writes a content in one letter an ingredient: B body, T timestamp, I id, U URL as registered, M method,
 * L label; everything else is itself. In order of how often services use them: what they can say, compositions.ts can say
 * too, so they only order the search.
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

/** Contents that do not hold the body: a match of one of these is a finding. */
const bodilessPatterns = [
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

export const commonRecipes = (from: Ingredients): Recipe[] =>
  commonPatterns.flatMap((pattern) => fillPattern(pattern, from));

/** The same with the likeliest ingredients alone, for forms of the body that few sign. */
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

/** A word and the body. */
export const wordRecipes = (from: Ingredients): Recipe[] =>
  from.words.flatMap((word) => signs.map((sign) => [word, literal(sign), body]));

/** Every filling of a pattern with a delivery's ingredients. */
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

import { bodyForms } from '../read/body-forms.ts';
import { isUsualKey, type Key } from '../read/keys.ts';
import { findSpecials } from '../special/specials.ts';
import { compositions, type Level, levels } from './compositions.ts';
import { digestPieces } from './digests.ts';
import { type BodyPiece, bodyPiece, noBody, tryRecipes } from './recipe.ts';
import type { Match, Search } from './scene.ts';
import { bodilessRecipes, commonRecipes, likeliestRecipes, wordRecipes } from './usual.ts';

/**
 * Looks for what services usually do. Stages in order of likelihood; the first that explains a token ends the search. Within
 * a stage every content and key is tried, so that a second signature in the same delivery is found as well.
 */
export function searchUsual(search: Search): Match[] {
  const { ingredients } = search.scene;
  const likeliest = (forms: readonly BodyPiece[]): Match[] => tryRecipes(search, likeliestRecipes(ingredients), forms);
  return firstFound(search, [
    () => tryRecipes(search, commonRecipes(ingredients), rawPieces(search)),
    () => findSpecials(search),
    () => tryRecipes(search, wordRecipes(ingredients), rawPieces(search)),
    () => likeliest([...digestPieces(search.scene), ...otherPieces(search, ['derived', 'unsigned'])]),
    () => likeliest(otherPieces(search, ['re-serialised'])),
    () => tryRecipes(search, bodilessRecipes(ingredients), []),
    () => (search.scene.delivery.body.length === 0 ? [] : likeliest([noBody])),
  ]);
}

/**
 * How many of the secret's readings, the likeliest, are tried as keys on contents that nobody is known to sign; and how many on
 * large contents, of which there are many, before everything else has been tried.
 */
const [likelyKeys, likeliestKeys] = [3, 2];

/** Looks for every composition of the delivery's ingredients, what home-made senders do: the smaller first. */
export function searchCompositions(search: Search): Match[] {
  const { ingredients, delivery } = search.scene;
  const isEmpty = delivery.body.length === 0;
  const keys = search.keys.filter(isUsualKey).slice(0, likelyKeys);
  const [first, last] = [keys.slice(0, likeliestKeys), keys.slice(likeliestKeys)];
  const [raw, hashes] = [rawPieces(search), digestPieces(search.scene)];
  const trial = (level: Level, under: readonly Key[], forms: readonly BodyPiece[]) => () =>
    under.length === 0
      ? []
      : tryRecipes(
          { ...search, keys: under, isAgain: under === last },
          compositions(level, ingredients, isEmpty),
          forms,
        );
  const large = levels.filter(({ size }) => size > 2);
  return firstFound(search, [
    ...levels.flatMap((level) => [
      trial(level, large.includes(level) ? first : keys, raw),
      trial(level, first, hashes),
    ]),
    ...large.map((level) => trial(level, last, raw)),
    ...levels.map((level) => trial(level, last, hashes)),
  ]);
}

function firstFound({ scene }: Search, stages: readonly (() => Match[])[]): Match[] {
  for (const stage of scene.wanted.size === 0 ? [] : stages) {
    const found = stage();
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

const rawPieces = ({ scene: { delivery } }: Search): BodyPiece[] => [bodyPiece('raw', delivery.body)];

/** The forms of the body whose bytes differ from those of every other. */
const otherPieces = ({ scene: { bodies } }: Search, covers: readonly string[]): BodyPiece[] =>
  bodies
    .distinct()
    .filter(({ form }) => covers.includes(bodyForms[form].covers))
    .map(({ form, bytes }) => bodyPiece(form, bytes));

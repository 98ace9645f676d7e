import { bodyForms } from '../read/body-forms.ts';
import { isUsualKey, type Key } from '../read/keys.ts';
import { type BodyPiece, bodyPiece, noBody, tryRecipes } from '../recipe.ts';
import type { Match, Search } from '../scene.ts';
import { findSpecials } from '../special/specials.ts';
import { compositions, type Level, levels } from './compositions.ts';
import { digestPieces } from './digests.ts';
import { bodilessRecipes, commonRecipes, likeliestRecipes, wordRecipes } from './usual.ts';

/**
 * Searches for contents that services usually sign. The stages go from likely to unlikely, and the search ends with the
 * first stage that explains a token. A stage is finished nevertheless, so that a second signature in the same delivery
 * is found too.
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
 * How many of the keys, the likeliest, are tried on unusual contents. Fewer are tried at first on large contents, since
 * there are many of those; the rest come after everything else.
 */
const [likelyKeys, likeliestKeys] = [3, 2];

/** Searches for any composition of the delivery's ingredients, as home-made senders sign them, small ones first. */
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

/** The different forms of the body that cover it in one of these ways. */
const otherPieces = ({ scene: { bodies } }: Search, covers: readonly string[]): BodyPiece[] =>
  bodies
    .distinct()
    .filter(({ form }) => covers.includes(bodyForms[form].covers))
    .map(({ form, bytes }) => bodyPiece(form, bytes));

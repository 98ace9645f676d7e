import { bestFirst, type Candidate, findCompositions } from './candidates.ts';
import { bodyFormOf, coverageOf } from './content.ts';
import type { Delivery } from './delivery.ts';
import type { DiscoverOptions, Discovery } from './discovery.ts';
import { bounds } from './read/bounds.ts';
import { layOut, type Scene } from './scene.ts';
import type { Scheme } from './scheme.ts';
import { explainNothingFound } from './search/diagnose.ts';
import { notesOn } from './search/notes.ts';
import { describeOdd } from './search/odd.ts';
import { sourceKey } from './source.ts';
import { createSurveys, type SurveyOf } from './survey.ts';

/**
 * Finds out how deliveries are signed. Takes the deliveries of one webhook and its secret; an answer that is not
 * provisional needs two or more deliveries that differ in body, id and second. Throws nothing; no text in the answer
 * shows the secret.
 */
export const discoverScheme = (
  deliveries: readonly Delivery[],
  secret: string,
  options: DiscoverOptions = {},
): Discovery => discoverIn(deliveries.map(layOut), secret, options);

/**
 * Like `discoverScheme`, for deliveries that are already read. `surveyOf` may be shared by calls with different
 * secrets.
 */
export function discoverIn(
  scenes: readonly Scene[],
  secret: string,
  options: DiscoverOptions,
  surveyOf = createSurveys(scenes, options),
): Discovery {
  const survey = surveyOf(secret);
  const { usual, budget } = survey;
  budget.cap(options.maxHmacs ?? bounds.hmacs, options.maxBytes ?? bounds.hashedBytes);
  const signedWithOther = usual.length > 0 ? undefined : underOtherSecret(scenes, secret, options, surveyOf);
  if (signedWithOther !== undefined) {
    return signedWithOther;
  }
  const coversBody = usual.some(({ scheme }) => ['raw', 'derived'].includes(coverageOf(scheme)));
  const { named } = survey;
  const unusual =
    coversBody || options.lastResort === false ? [] : findCompositions(scenes, secret, budget, { usual, named });
  const candidates = [...usual, ...unusual].sort(bestFirst);
  const [best] = candidates;
  if (best === undefined) {
    return explainNothingFound(scenes, secret, named, budget);
  }
  return best.count < scenes.length
    ? inconsistent(best, scenes, secret, options)
    : consistent(best.scheme, candidates, scenes, secret);
}

/**
 * How many odd deliveries are searched for what else they are signed with; the rest are only compared with the scheme.
 */
const mostDeep = 8;

function inconsistent(
  { scheme, verified }: Candidate,
  scenes: readonly Scene[],
  secret: string,
  { otherSecrets = [] }: DiscoverOptions,
): Discovery {
  const odd = scenes
    .map((scene, index) => ({ scene, index }))
    .filter(({ index }) => !verified[index])
    .map(({ scene, index }, place) =>
      describeOdd(index, scene, scheme, secret, { otherSecrets, deep: place < mostDeep }),
    );
  return { kind: 'inconsistent', scheme, odd, notes: notesOn(scheme, scenes, secret) };
}

/** The discovery of a scheme that verifies every delivery. */
function consistent(
  scheme: Scheme,
  candidates: readonly Candidate[],
  scenes: readonly Scene[],
  secret: string,
): Discovery {
  const notes = notesOn(scheme, scenes, secret);
  const form = bodyFormOf(scheme);
  const covered = coverageOf(scheme);
  if (covered === 'none') {
    return { kind: 'body-not-covered', scheme, notes };
  }
  if (covered === 're-serialised' && form !== undefined) {
    return { kind: 're-serialised', form, scheme, notes };
  }
  const rest = candidates
    .filter((one) => one.scheme !== scheme && one.count === scenes.length)
    .map((one) => one.scheme);
  const isSamePlace = (other: Scheme): boolean =>
    sourceKey(other.signature.source) === sourceKey(scheme.signature.source);
  const alternatives = rest.filter(isSamePlace);
  const distinctBodies = new Set(scenes.map(({ delivery }) => delivery.body.toString('latin1'))).size;
  return {
    kind: 'verified',
    scheme,
    alternatives,
    others: rest.filter((other) => !isSamePlace(other)),
    provisional: distinctBodies < 2 || alternatives.length > 0,
    notes,
  };
}

/** The discovery that deliveries are signed with the secret of another webhook; undefined if they are not. */
function underOtherSecret(
  scenes: readonly Scene[],
  secret: string,
  { otherSecrets = [] }: DiscoverOptions,
  surveyOf: SurveyOf,
): Discovery | undefined {
  for (const other of otherSecrets) {
    const [best] = surveyOf(other).usual.toSorted(bestFirst);
    if (best !== undefined) {
      const odd = scenes.map((scene, index) =>
        describeOdd(index, scene, best.scheme, secret, { otherSecrets, deep: false }),
      );
      return { kind: 'inconsistent', scheme: best.scheme, odd, notes: [] };
    }
  }
  return undefined;
}

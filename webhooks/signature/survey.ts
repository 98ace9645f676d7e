import { type Candidate, candidateOf, findUsual } from './candidates.ts';
import type { DiscoverOptions } from './discovery.ts';
import { bounds } from './read/bounds.ts';
import type { Scene } from './scene.ts';
import { type Budget, createBudget } from './search/budget.ts';
import { findOtherAlgorithms, type OtherAlgorithm } from './search/other-algorithms.ts';

/** What is found under one secret without trying unusual contents. */
interface Survey {
  /** Schemes of other webhooks that verify every delivery, or else schemes with usual contents. */
  readonly usual: readonly Candidate[];
  /** If there are none: other algorithms that explain a token. */
  readonly named: readonly OtherAlgorithm[];
  /** What is left of the budget for unusual contents. */
  readonly budget: Budget;
}

/** Returns the survey of a secret. */
export type SurveyOf = (secret: string) => Survey;

/**
 * Makes surveys of deliveries, one for each secret: a secret may be asked for as a webhook's own and as that of
 * another.
 */
export function createSurveys(scenes: readonly Scene[], options: DiscoverOptions): SurveyOf {
  const surveys = new Map<string, Survey>();
  return (secret) => {
    const survey = surveys.get(secret) ?? makeSurvey(scenes, secret, options);
    surveys.set(secret, survey);
    return survey;
  };
}

function makeSurvey(scenes: readonly Scene[], secret: string, options: DiscoverOptions): Survey {
  const budget = createBudget(options.maxHmacs ?? bounds.hmacs, options.maxBytes ?? bounds.hashedBytes);
  const known = (options.likely ?? []).map((scheme) => candidateOf(scheme, scenes, secret));
  const fitting = known.filter(({ count }) => count === scenes.length);
  const usual = fitting.length > 0 ? fitting : findUsual(scenes, secret, budget);
  let named: readonly OtherAlgorithm[] | undefined;
  return {
    usual,
    budget,
    get named() {
      named ??=
        usual.length > 0
          ? []
          : scenes.slice(0, 2).flatMap((scene) => findOtherAlgorithms(scene, secret, options.mistakenSecrets));
      return named;
    },
  };
}

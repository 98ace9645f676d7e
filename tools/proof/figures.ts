import { clauses } from '../../contract/clauses.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { inStyle } from '../../selftest/proof/jobs.ts';
import { singleChoices } from '../../selftest/proof/packs.ts';

/** The extent of the proof, as lines of prose. The selftest enforces these statements, so no run is needed to write them. */
export function figureLines(): string[] {
  const binding = clauses.filter(({ level }) => level !== 'gap');
  const counts = binding
    .map(({ id }) => faults.filter(({ fails }) => fails.includes(id)).length)
    .sort((one, other) => one - other);
  return [
    `${faults.length} faults: each fails the clauses that it breaks and no others.`,
    `${binding.length} must and should clauses: each is failed by at least ${counts[0] ?? 0} faults, half of them by ${counts[counts.length >> 1] ?? 0} or more.`,
    `${singleChoices.length} choices of correct deployments, ${inStyle.length} deployments in the style of products and frameworks, and random combinations: no false alarm.`,
    '`npm run selftest` judges each fault alone on its own clauses, and puts up to twelve choices, and some of the faults, into one deployment for a whole run; `npm run nightly` judges each alone, whole.',
  ];
}

import { faults } from '../../fixtures/reference/deployment.ts';
import { drawnCrossed, metCrossed } from '../../selftest/proof/crossed.ts';
import { combined, singleChoices } from '../../selftest/proof/jobs.ts';
import { clauseRows } from '../../selftest/proof/matrix.ts';
import { pending } from '../../selftest/proof/pending.ts';
import { faultsInSelftest } from '../../selftest/proof/selftest-jobs.ts';

/**
 * The extent of the proof, as lines of prose. `npm run matrix` enforces these statements, and the selftest those on what
 * it runs, so that no run is needed to write them.
 */
export function figureLines(): string[] {
  const clauses = clauseRows();
  const counts = clauses.map(({ failedBy }) => failedBy.length).sort((one, other) => one - other);
  const open = Object.keys(pending);
  const pendingFaults = faults.filter(({ id }) => open.includes(id)).length;
  return [
    `${faults.length} faults: each fails the clauses that it breaks and no others.`,
    `${clauses.length} must and should clauses: each is failed by at least ${counts[0] ?? 0} faults, half of them by ${counts[counts.length >> 1] ?? 0} or more.`,
    `${singleChoices.length} choices of correct deployments, each alone, and ${combined.length} larger combinations: no false alarm${open.length === 0 ? '' : ' except in pending ones'}.`,
    `${metCrossed.length + drawnCrossed.length} faults on deployments that make other choices: caught as on the plain one.`,
    `\`npm run matrix\` proves all of this; \`npm run selftest\`, which has to end in time on slow machines, proves ${faultsInSelftest.length} of the faults, most of them six in a run, most choices up to eight in a run, and a third of the rest.`,
    ...(open.length === 0
      ? []
      : [
          `Pending, which means known and not yet fixed: ${pendingFaults} fault${pendingFaults === 1 ? '' : 's'} and ${open.length - pendingFaults} correct deployments (selftest/proof/pending.ts).`,
        ]),
  ];
}

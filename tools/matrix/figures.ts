import { faults } from '../../fixtures/reference/deployment.ts';
import { drawnCrossed, metCrossed } from '../../selftest/proof/crossed.ts';
import { alone, together } from '../../selftest/proof/jobs.ts';
import { clauseRows } from '../../selftest/proof/matrix.ts';
import { pending } from '../../selftest/proof/pending.ts';

/** How much is proven, as lines of prose: what the selftest holds, so that no run is needed to say it. */
export function figureLines(): string[] {
  const clauses = clauseRows();
  const counts = clauses.map(({ failedBy }) => failedBy.length).sort((one, other) => one - other);
  const open = Object.keys(pending);
  const pendingFaults = faults.filter(({ id }) => open.includes(id)).length;
  return [
    `${faults.length} faults, each of which fails the clauses that it breaks and no others.`,
    `${clauses.length} must and should clauses, each failed by ${counts[0] ?? 0} faults at least, half of them by ${counts[counts.length >> 1] ?? 0} or more.`,
    `${alone.length} choices of correct deployments, each alone, and ${together.length} random combinations: no false alarm${open.length === 0 ? '' : ' but in those pending'}.`,
    `${metCrossed.length + drawnCrossed.length} faults of deployments that chose otherwise too: caught as on the plain one.`,
    ...(open.length === 0
      ? []
      : [
          `Pending: ${pendingFaults} fault${pendingFaults === 1 ? '' : 's'} and ${open.length - pendingFaults} correct deployments (selftest/proof/pending.ts).`,
        ]),
  ];
}

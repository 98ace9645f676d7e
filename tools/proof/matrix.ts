import type { FaultRow } from '../../selftest/proof/fault-row.ts';
import { singleChoices } from '../../selftest/proof/packs.ts';
import type { Proven } from '../../selftest/proof/prove.ts';

/**
 * The proof as text, with tabs between cells. For each run of a fault: the clauses that it fails (with a plus if it only
 * may), how many cannot be decided, and what the run left behind. For each choice: the clauses that cannot be decided.
 */
export function matrixText({ faults, deployments }: Proven): string {
  const cells = ({ id, fails, also, open, left }: FaultRow): string[] => [
    id,
    [...fails, ...also.map((clause) => `+${clause}`)].join(' '),
    String(open.length),
    left.join('; '),
  ];
  const alone = new Set(singleChoices.map(({ name }) => name));
  const undecided = deployments.filter(({ name, open }) => alone.has(name) && open.length > 0);
  return [...faults.map(cells), ...undecided.map(({ name, open }) => [name, open.join(' '), '', '']), []]
    .map((row) => row.join('\t').trimEnd())
    .join('\n');
}

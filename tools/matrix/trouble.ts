import { isCaught } from '../../selftest/proof/fault-row.ts';
import type { Proven } from '../../selftest/proof/prove.ts';

/** Something that the proof found wrong: the fault or deployment, and a description. */
interface Trouble {
  readonly name: string;
  readonly says: string;
}

export const troubleOf = ({ faults, crossed, deployments }: Proven): Trouble[] => [
  ...[...faults, ...crossed]
    .filter((row) => !isCaught(row))
    .map(({ id, deployment, missed, extra, harm }) => ({
      name: deployment === undefined ? id : `${id} ${deployment}`,
      says: [
        deployment === undefined ? `fault ${id}:` : `fault ${id} with ${deployment}:`,
        ...missed.map((clause) => `   wrongly passes: ${clause}`),
        ...extra.map((clause) => `   wrongly fails: ${clause}`),
        ...harm.map((line) => `   harm: ${line}`),
      ].join('\n'),
    })),
  ...deployments
    .filter(({ alarms }) => alarms.length > 0)
    .map(({ name, alarms }) => ({ name, says: `${name}:\n   ${alarms.join('\n   ')}` })),
];

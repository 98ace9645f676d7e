import { isCaught } from '../../selftest/proof/fault-row.ts';
import type { Proven } from '../../selftest/proof/prove.ts';

/** What the proof found wrong, each with what it concerns. */
export const troubleOf = ({ faults, crossed, deployments }: Proven): string[] => [
  ...[...faults, ...crossed]
    .filter((row) => !isCaught(row))
    .map(({ id, deployment, missed, extra, harm }) =>
      [
        deployment === undefined ? `fault ${id}:` : `fault ${id} with ${deployment}:`,
        ...missed.map((clause) => `   wrongly passes: ${clause}`),
        ...extra.map((clause) => `   wrongly fails: ${clause}`),
        ...harm.map((line) => `   harm: ${line}`),
      ].join('\n'),
    ),
  ...deployments
    .filter(({ alarms }) => alarms.length > 0)
    .map(({ name, alarms }) => `${name}:\n   ${alarms.join('\n   ')}`),
];

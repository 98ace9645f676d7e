import { isCaught } from '../../selftest/proof/fault-row.ts';
import { plainOf, singleChoices } from '../../selftest/proof/jobs.ts';
import type { Proven } from '../../selftest/proof/prove.ts';
import { unmet } from '../../selftest/proof/unmet.ts';

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

/** The choices that no answer and no observation of their run alone shows, except those that no run meets. */
export function hiddenChoices({ deployments }: Proven): Trouble[] {
  const rows = new Map(deployments.map((row) => [row.name, row]));
  const shown = (name: string): string => JSON.stringify([rows.get(name)?.wire, rows.get(name)?.observed]);
  return singleChoices
    .filter(({ name, api }) => !unmet.has(name) && shown(name) === shown(plainOf(api).name))
    .map(({ name }) => ({ name, says: `${name}: no run shows this choice; see selftest/proof/unmet.ts` }));
}

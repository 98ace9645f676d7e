import { faults } from '../../fixtures/reference/deployment.ts';
import { type ChoiceRow, choiceRow, type Deployment } from './choice-row.ts';
import { choicesIn, choicesText } from './choices-text.ts';
import { crossedRow, type FaultRow } from './fault-row.ts';

/** A few choices of a deployment that still cause its first alarm, as text. */
export function shrunkDeployment({ api, chosen, alarms, clauses, settings }: ChoiceRow): Promise<string> {
  // Compares verdict and clause; the rest of an alarm's text may change with fewer choices.
  const kindOf = (alarm: string | undefined): string => alarm?.split(':')[0] ?? '';
  const run = { ...(clauses === undefined ? {} : { clauses }), ...(settings === undefined ? {} : { settings }) };
  return shrunk(api, chosen, async (tried) =>
    (await choiceRow({ ...tried, ...run })).alarms.some((alarm) => kindOf(alarm) === kindOf(alarms[0])),
  );
}

/** The fault's id, and a few choices with which it is still judged wrongly in the same way. */
export async function shrunkFault(row: FaultRow): Promise<string> {
  const fault = faults.find(({ id }) => id === row.id) as (typeof faults)[number];
  const wrongIn = ({ missed, extra, harm }: FaultRow): readonly string[] => [...missed, ...extra, ...harm];
  const [first = ''] = wrongIn(row);
  const choices = await shrunk(row.api, choicesIn(row.deployment ?? ''), async (tried) =>
    wrongIn(await crossedRow(fault, tried)).includes(first),
  );
  return `${row.id} ${choices}`;
}

/** Leaves out halves, then quarters, then single choices, as long as the judgement stays wrong in the same way. */
async function shrunk(
  api: Deployment['api'],
  chosen: Deployment['chosen'],
  isSame: (tried: Deployment) => Promise<boolean>,
): Promise<string> {
  let least = Object.entries(chosen);
  for (let size = least.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < least.length; ) {
      const rest = least.filter((_, place) => place < at || place >= at + size);
      const tried = Object.fromEntries(rest);
      const isLess = await isSame({ api, name: choicesText(tried), chosen: tried });
      least = isLess ? rest : least;
      at += isLess ? 0 : size;
    }
  }
  return choicesText(Object.fromEntries(least));
}

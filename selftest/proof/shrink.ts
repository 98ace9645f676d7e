import { asyncProperty, check, subarray } from 'fast-check';
import { type ChoiceRow, choiceRow, type Deployment } from './choice-row.ts';
import { crossedRow, type FaultRow, faultOf } from './fault-row.ts';
import { choicesIn, choicesText } from './packs.ts';

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
  const wrongIn = ({ missed, extra, harm }: FaultRow): readonly string[] => [...missed, ...extra, ...harm];
  const [first = ''] = wrongIn(row);
  const choices = await shrunk(row.api, choicesIn(row.deployment ?? ''), async (tried) =>
    wrongIn(await crossedRow(faultOf(row.id), tried)).includes(first),
  );
  return `${row.id} ${choices}`;
}

/** Leaves out choices as long as the judgement stays wrong in the same way. */
async function shrunk(
  api: Deployment['api'],
  chosen: Deployment['chosen'],
  isSame: (tried: Deployment) => Promise<boolean>,
): Promise<string> {
  const all = Object.entries(chosen);
  const textOf = (some: readonly (readonly [string, string])[]): string => choicesText(Object.fromEntries(some));
  const isRight = asyncProperty(subarray(all), async (some) => {
    const tried = Object.fromEntries(some);
    return !(await isSame({ api, name: textOf(some), chosen: tried }));
  });
  const { counterexample } = await check(isRight, { examples: [[all]], numRuns: 1 });
  return textOf(counterexample?.[0] ?? all);
}

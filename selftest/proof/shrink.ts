import { choicesText } from '../../fixtures/reference/vary.ts';
import { type ChoiceRow, choiceRow } from './choice-row.ts';

/** Verdict and clause: what an alarm says besides may change as choices go. */
const kindOf = (alarm: string | undefined): string => alarm?.split(':')[0] ?? '';

/** Few choices of a deployment with which its first alarm still comes: halves are left out, then quarters, then single ones. */
export async function shrink(row: ChoiceRow): Promise<ChoiceRow> {
  let least = row;
  for (let size = Object.keys(row.chosen).length >> 1; size > 0; size >>= 1) {
    least = await leaveOut(least, size, kindOf(row.alarms[0]));
  }
  return least;
}

async function leaveOut(row: ChoiceRow, size: number, kind: string): Promise<ChoiceRow> {
  let least = row;
  for (let at = 0; at < Object.keys(least.chosen).length; ) {
    const rest = Object.entries(least.chosen).filter((_, place) => place < at || place >= at + size);
    const chosen = Object.fromEntries(rest);
    const tried = await choiceRow({ api: row.api, name: choicesText(chosen), chosen });
    const isSame = tried.alarms.some((alarm) => kindOf(alarm) === kind);
    least = isSame ? tried : least;
    at += isSame ? 0 : size;
  }
  return least;
}

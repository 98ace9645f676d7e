import { keyPrefix } from '../../contract/scopes.ts';
import { backwards, foldedText } from './characters.ts';
import { leastRun } from './public-words.ts';
import type { Report } from './ranges.ts';

/** What looks like a key of the developer API has at least so many characters behind its prefix. */
const leastLook = 6;

/** The prefixes of the developer API's keys by their first eight characters, and, backwards, by their last. */
type Look = { readonly prefix: string; readonly step: 1 | -1 };
export const looks: ReadonlyMap<string, Look> = new Map(
  Object.values(keyPrefix).flatMap((prefix): [string, Look][] => [
    [prefix.slice(0, leastRun), { prefix, step: 1 }],
    [backwards(prefix.slice(0, leastRun)), { prefix: backwards(prefix), step: -1 }],
  ]),
);

/** How far keys have been looked for, so that no character is looked at twice. */
export interface Seen {
  behind: number;
  before: number;
}

const isKeyCharacter = (code: number): boolean => code < 0x7f && /[\w~.+/=-]/.test(String.fromCharCode(code));

/** What stands beside the prefix of a key, unless it is a mask or a short word. */
export function reportLook(codes: Uint16Array, at: number, { prefix, step }: Look, seen: Seen, report: Report): void {
  const start = step === 1 ? at : at + leastRun - prefix.length;
  if (start < 0 || foldedText(codes, start, Math.min(codes.length, start + prefix.length)) !== prefix) {
    return;
  }
  let [from, to] = step === 1 ? [start + prefix.length, start + prefix.length] : [start, start];
  while (step === 1 && to >= seen.behind && to < codes.length && isKeyCharacter(codes[to] ?? 0)) {
    to += 1;
  }
  while (step === -1 && from > seen.before && isKeyCharacter(codes[from - 1] ?? 0)) {
    from -= 1;
  }
  const isContinued = step === -1 && seen.before > 0 && from === seen.before;
  seen.behind = Math.max(seen.behind, step === 1 ? to : 0);
  seen.before = step === -1 ? start : seen.before;
  if (isContinued || (to - from >= leastLook && new Set(codes.subarray(from, to)).size >= 3)) {
    report(from, to);
  }
}

import { keyPrefix } from '../../contract/scopes.ts';
import { backwards, foldedText } from './characters.ts';
import { runLength } from './public-words.ts';
import type { Report } from './ranges.ts';

/** A key of the developer API has at least so many characters behind its prefix. */
const shortestRest = 6;
/** Fewer different characters are a mask, such as `svc_test_******`. */
const leastVariety = 3;

/** A key prefix as it stands in a text: forwards (1), or mirrored (-1). */
interface KeyPrefix {
  readonly text: string;
  readonly step: 1 | -1;
}

/** The prefixes of the developer API's keys, each by the run of eight characters under which it is found. */
export const keyPrefixes: ReadonlyMap<string, KeyPrefix> = new Map(
  Object.values(keyPrefix).flatMap((prefix): [string, KeyPrefix][] => [
    [prefix.slice(0, runLength), { text: prefix, step: 1 }],
    [backwards(prefix.slice(0, runLength)), { text: backwards(prefix), step: -1 }],
  ]),
);

/**
 * How far a text has been searched for keys, so that no character is visited twice: behind prefixes, and before
 * mirrored ones.
 */
export interface Searched {
  behind: number;
  before: number;
}

const isKeyCharacter = (code: number): boolean => code < 0x7f && /[\w~.+/=-]/.test(String.fromCharCode(code));

/**
 * Reports the rest of a key whose prefix has its run of eight characters at `at`, unless the rest is a mask or a short
 * word.
 */
export function reportKey(
  codes: Uint16Array,
  at: number,
  { text, step }: KeyPrefix,
  searched: Searched,
  report: Report,
): void {
  const start = step === 1 ? at : at + runLength - text.length;
  if (start < 0 || foldedText(codes, start, Math.min(codes.length, start + text.length)) !== text) {
    return;
  }
  if (step === 1) {
    const from = start + text.length;
    let to = from;
    while (to >= searched.behind && to < codes.length && isKeyCharacter(codes[to] ?? 0)) {
      to += 1;
    }
    searched.behind = Math.max(searched.behind, to);
    if (isRestOfKey(codes.subarray(from, to))) {
      report(from, to);
    }
  } else {
    let from = start;
    while (from > searched.before && isKeyCharacter(codes[from - 1] ?? 0)) {
      from -= 1;
    }
    const goesOnBefore = searched.before > 0 && from === searched.before;
    searched.before = start;
    if (goesOnBefore || isRestOfKey(codes.subarray(from, start))) {
      report(from, start);
    }
  }
}

const isRestOfKey = (rest: Uint16Array): boolean => rest.length >= shortestRest && new Set(rest).size >= leastVariety;

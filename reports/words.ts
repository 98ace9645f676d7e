import { counted } from '../common/words.ts';
import { chapterOf } from '../contract/clauses.ts';
import type { Exchange } from '../results/exchange.ts';
import { unlocksOf } from '../results/unlocks.ts';
import {
  type ClauseResult,
  type Run,
  type Verdict,
  type VerdictChange,
  type Word,
  wordOf,
} from '../results/verdict.ts';

export type Headline = 'Conformant' | 'Not conformant' | 'Unknown';

/** What every report says first: the same words everywhere, so that no two reports disagree. */
export function headline({ conformant }: Pick<Run, 'conformant'>): Headline {
  if (conformant === null) {
    return 'Unknown';
  }
  return conformant ? 'Conformant' : 'Not conformant';
}

/** The verdict in whose colours the run as a whole is shown. */
export function tone({ conformant }: Pick<Run, 'conformant'>): Verdict {
  if (conformant === null) {
    return 'broken';
  }
  return conformant ? 'pass' : 'fail';
}

/** What each word means, in those of the interface. */
export const meaning: Readonly<Record<Word, string>> = {
  pass: 'holds',
  fail: 'a must that does not hold',
  warn: 'a should that does not hold',
  waived: 'failed, and waived by WAIVERS',
  inconclusive: 'tried, and cannot be decided',
  skip: 'not tried',
  observed: 'the documents are silent; this was seen',
  broken: "the suite's own fault",
};

/** Marks beside the words, so that a verdict does not depend on colour alone. */
export const marks: Readonly<Record<Word, string>> = {
  pass: '✓',
  fail: '✕',
  warn: '!',
  waived: '~',
  inconclusive: '?',
  skip: '–',
  observed: '•',
  broken: '※',
};

/** The order in which a reader wants the verdicts: what needs doing first. */
export const readingOrder: readonly Word[] = [
  'fail',
  'broken',
  'warn',
  'waived',
  'inconclusive',
  'skip',
  'observed',
  'pass',
];

/** What made the run fail: with STRICT the warnings too. */
export const failingVerdicts = (run: Run): readonly Verdict[] =>
  isStrict(run) ? ['fail', 'broken', 'warn'] : ['fail', 'broken'];

/** Whether a failed `should` fails the run. */
export const isStrict = (run: Run): boolean => run.settings.STRICT === '1';

export interface Chapter {
  /** `developer.auth` */
  readonly name: string;
  readonly clauses: readonly ClauseResult[];
}

/** The clauses by chapter, in the contract's order. */
export const chaptersOf = (clauses: readonly ClauseResult[]): readonly Chapter[] =>
  [...Map.groupBy(clauses, ({ id }) => chapterOf(id))].map(([name, own]) => ({ name, clauses: own }));

/** The words that occur, in reading order, with their counts: `2 fail, 1 waived, 9 pass`. */
export function tally(clauses: readonly ClauseResult[]): readonly (readonly [Word, number])[] {
  const counts = Map.groupBy(clauses, wordOf);
  return readingOrder.flatMap((word) => {
    const many = counts.get(word)?.length ?? 0;
    return many === 0 ? [] : [[word, many] as const];
  });
}

/** The clauses that the run was to judge. */
export const inScope = ({ clauses }: Run): readonly ClauseResult[] =>
  clauses.filter(({ outside }) => outside === undefined);

/** What narrows the headline: no deployment of the user's was judged, a part alone was, or settings left clauses open. */
export function narrowed(run: Run): readonly string[] {
  const clauses = inScope(run);
  const judged = clauses.filter((clause) => !['skip', 'inconclusive', 'broken'].includes(wordOf(clause))).length;
  return [
    ...(run.embedded ? ['reference only'] : []),
    ...(run.selection === null ? [] : ['partial']),
    ...(unlocksOf(clauses).length === 0 ? [] : [`${judged} of ${clauses.length} clauses judged`]),
  ];
}

/** Whose deployment was judged; null where it is the user's. */
export const referenceNotice = ({ embedded }: Run): string | null =>
  embedded ? 'No deployment of yours was judged: neither BASE_URL nor WORKSPACE_API_URL is set' : null;

/** The reason as it stands by itself: a line that is read alone says whose deployment it is about. */
export const fullReason = ({ embedded, reason }: Run): string =>
  embedded ? `no deployment of yours was judged, only the built-in reference; ${reason}` : reason;

/** `no drift against PROFILE`, `3 changes against PROFILE`; null where there is none to compare with. */
export function driftText({ drift }: Run): string | null {
  if (drift === null) {
    return null;
  }
  return drift.length === 0 ? 'no drift against PROFILE' : `drift: ${counted(drift.length, 'change')} against PROFILE`;
}

/** What is wrong with a clause, for whoever asks whether a release made something worse. */
const isTrouble = (word: Word): boolean => word === 'fail' || word === 'broken' || word === 'warn';

/** The clauses that fail or warn now and did not in the run before. */
export const newlyWrong = ({ since }: Run): readonly VerdictChange[] =>
  (since?.changes ?? []).filter(({ before, now }) => isTrouble(now) && !isTrouble(before));

/** `2 new failures, 1 fixed, 3 others changed`; null where there is no earlier run to compare with. */
export function sinceText(run: Run): string | null {
  if (run.since === null) {
    return null;
  }
  const { changes } = run.since;
  const worse = newlyWrong(run).length;
  const warned = newlyWrong(run).filter(({ now }) => now === 'warn').length;
  const fixed = changes.filter(({ before, now }) => isTrouble(before) && now === 'pass').length;
  const others = changes.length - worse - fixed;
  const parts = [
    ...(worse > warned ? [counted(worse - warned, 'new failure')] : []),
    ...(warned > 0 ? [counted(warned, 'new warning')] : []),
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(others > 0 ? [`${others} changed otherwise`] : []),
  ];
  return parts.length === 0 ? 'no verdict changed' : parts.join(', ');
}

/** `2026-11-22 13:01 UTC` */
export const minuteOf = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

/** Why an exchange was made: `Must be refused: GET /v1/agents, key: WORKSPACE_REVOKED_API_KEY`. */
export function purposeOf({ purpose, endpoint, keyLabel }: Exchange): string {
  const what = {
    documented: 'Documented call',
    refusal: 'Must be refused',
    'off-document': 'Call outside the documents',
  };
  const key = keyLabel === null ? 'no key' : `key: ${keyLabel}`;
  return `${what[purpose]}${endpoint === null ? '' : `: ${endpoint}`}, ${key}`;
}

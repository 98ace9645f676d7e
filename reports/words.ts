import type { styleText } from 'node:util';
import { counted } from '../common/words.ts';
import { chapterOf } from '../contract/clauses.ts';
import type { Exchange } from '../results/exchange.ts';
import { unlocksOf } from '../results/unlocks.ts';
import { type ClauseResult, type Run, type Verdict, type Word, wordOf } from '../results/verdict.ts';

/** The verdict on the run, in the words with which every report begins. */
export const headline = ({ conformant }: Pick<Run, 'conformant'>): 'Conformant' | 'Not conformant' | 'Unknown' =>
  conformant === null ? 'Unknown' : conformant ? 'Conformant' : 'Not conformant';

/** The verdict in whose colours the run as a whole is shown. */
export const tone = ({ conformant }: Pick<Run, 'conformant'>): Verdict =>
  conformant === null ? 'broken' : conformant ? 'pass' : 'fail';

/** How a word is shown: with a mark, so that verdicts are not told by colour alone, and on a console in a style. */
interface Look {
  readonly mark: string;
  readonly meaning: string;
  readonly style: Parameters<typeof styleText>[0];
}

/** The words in the order of reading: what needs attention first. */
export const looks: Readonly<Record<Word, Look>> = {
  fail: { mark: '✕', meaning: 'a must clause is broken', style: ['bold', 'red'] },
  broken: { mark: '※', meaning: 'an error of the suite', style: ['bold', 'magenta'] },
  warn: { mark: '!', meaning: 'a should clause is broken', style: 'yellow' },
  waived: { mark: '~', meaning: 'failed, and waived by WAIVERS', style: 'magenta' },
  inconclusive: { mark: '?', meaning: 'tried, but undecided', style: 'magenta' },
  skip: { mark: '–', meaning: 'not tried', style: 'gray' },
  observed: { mark: '•', meaning: 'not specified; what the deployment does', style: 'cyan' },
  pass: { mark: '✓', meaning: 'as required', style: 'green' },
};

export const readingOrder = Object.keys(looks) as readonly Word[];

/** The verdicts that fail the run; with STRICT also warnings. */
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

/**
 * Remarks that narrow the headline: only the reference was judged, only a part was, settings left clauses undecided, or
 * `must` clauses stayed inconclusive.
 */
export function narrowed(run: Run): readonly string[] {
  const clauses = inScope(run);
  const judged = clauses.filter((clause) => !['skip', 'inconclusive', 'broken'].includes(wordOf(clause))).length;
  const isOpen = clauses.some((clause) => clause.level === 'must' && wordOf(clause) === 'inconclusive');
  return [
    ...(run.embedded ? ['reference only'] : []),
    ...(run.selection === null ? [] : ['partial']),
    ...(unlocksOf(clauses).length === 0 && !isOpen ? [] : [`${judged} of ${clauses.length} clauses judged`]),
  ];
}

/** A notice that no deployment of the user's was judged; null if one was. */
export const referenceNotice = ({ embedded }: Run): string | null =>
  embedded ? 'No deployment of yours was judged, only the built-in reference: set BASE_URL or WORKSPACE_API_URL' : null;

/** The reason of the run for places where the notice is not shown too: it says if only the reference was judged. */
export const fullReason = ({ embedded, reason }: Run): string =>
  embedded ? `no deployment of yours was judged, only the built-in reference; ${reason}` : reason;

/** `no drift against PROFILE`, `drift: 3 changes against PROFILE`; null if no profile is given. */
export function driftText({ drift }: Run): string | null {
  if (drift === null) {
    return null;
  }
  return drift.length === 0 ? 'no drift against PROFILE' : `drift: ${counted(drift.length, 'change')} against PROFILE`;
}

/** The purpose of an exchange: `Call that must be refused: GET /v1/agents, key: WORKSPACE_REVOKED_API_KEY`. */
export function purposeOf({ purpose, endpoint, keyLabel }: Exchange): string {
  const what = {
    documented: 'Documented call',
    refusal: 'Call that must be refused',
    'off-document': 'Call outside the documents',
  };
  const key = keyLabel === null ? 'no key' : `key: ${keyLabel}`;
  return `${what[purpose]}${endpoint === null ? '' : `: ${endpoint}`}, ${key}`;
}

import { extname, normalize, resolve } from 'node:path';
import { CannotRun } from '../../common/cannot-run.ts';
import { nearestHint } from '../../common/nearest.ts';
import { commandOf } from '../../common/suite.ts';
import type { ApiName, Clause } from '../../contract/clause.ts';
import { apiOf, chapterOf, clauses } from '../../contract/clauses.ts';
import { noTarget, urlSettings } from '../../settings/target.ts';

/** Which clauses a run judges. */
export type Selection = ReturnType<typeof select>;

/** The clauses that the command line chose. */
export interface ChosenClauses {
  /** Vitest's -t: regular expressions, of which a test's full name has to match one; empty: all. */
  readonly patterns: readonly string[];
  /** Parts of the names of the APIs' files. */
  readonly filters: readonly string[];
}

/** The file that declares an API's clauses to Vitest: TypeScript in a clone, JavaScript in the package. */
export const testFile = (api: ApiName): string =>
  resolve(import.meta.dirname, `../${api}.test${extname(import.meta.filename)}`);

/** The name of the test that judges a clause. */
export const testName = ({ id, title }: Pick<Clause, 'id' | 'title'>): string => `${id} ${title}`;

/** The name under which Vitest's -t looks for it: that of its describe block, its chapter, and its own. */
const fullName = (clause: Clause): string => `${chapterOf(clause.id)} ${testName(clause)}`;

const ids = clauses.map(({ id }) => id as string);
const chapters = [...new Set(ids.map(chapterOf))];

/**
 * Selects, as Vitest does, the clauses of the targeted APIs whose full name matches a pattern, and whose API's file a
 * filter names. Throws CannotRun, with what was most likely meant, where nothing is selected, or a pattern selects
 * nothing.
 */
export function select({ patterns, filters }: ChosenClauses, targeted: readonly ApiName[]) {
  const apis = apisOf(filters);
  const expressions = patterns.map(expressionOf);
  const words = [...filters, ...patterns.map((pattern) => `-t ${pattern}`)];
  const chosenBy = words.length === 0 ? null : words.join(' ');
  refuseIdlePatterns(patterns);
  const matching = clauses.filter(
    (clause) => expressions.length === 0 || expressions.some((expression) => expression.test(fullName(clause))),
  );
  const wanted = matching.flatMap(({ id }): string[] => (apis.includes(apiOf(id)) ? [id] : []));
  const chosen = wanted.filter((id) => targeted.includes(apiOf(id)));
  if (chosen.length === 0) {
    const [untargeted] = wanted;
    const why = untargeted ? noTarget(apiOf(untargeted)) : `it names no clause of the ${apis.join()} API`;
    throw new CannotRun(`Cannot judge ${patterns.map((one) => `-t ${one}`).join(' ') || apis.join()}: ${why}`);
  }
  /** Why a clause is not judged; null: it is. */
  const whyOutside = (id: string) => {
    const api = apiOf(id);
    if (!targeted.includes(api)) {
      return { by: 'target' as const, finding: { message: noTarget(api), needs: { setting: urlSettings[api] } } };
    }
    const message = `Not selected: this run judges only ${chosenBy ?? 'others'}`;
    return wanted.includes(id) ? null : { by: 'selection' as const, finding: { message } };
  };
  return {
    /** The chosen clauses of an API, in the contract's order. */
    idsOf: (api: ApiName): readonly string[] => chosen.filter((id) => apiOf(id) === api),
    /** The chosen clauses that have a target. */
    size: chosen.length,
    /** The words of the command line that chose some clauses; null: all clauses of the targets are judged. */
    chosenBy,
    whyOutside,
  };
}

function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    throw new CannotRun(
      `Cannot use -t ${JSON.stringify(pattern)}: ${why}; it must be the beginning of a clause id, such as developer.auth`,
    );
  }
}

/** Throws CannotRun for a pattern, or an alternative such as in `developer.auth|developer.kyes`, without a clause. */
function refuseIdlePatterns(patterns: readonly string[]): void {
  const alternatives = patterns.flatMap((one) => (/[()[\]\\]/.test(one) ? [one] : one.split('|')));
  const idle = alternatives.find((one) => !clauses.some((clause) => expressionOf(one).test(fullName(clause))));
  if (idle !== undefined) {
    const hint = nearestHint(idle, [...chapters, ...ids]);
    throw new CannotRun(`Cannot judge -t ${idle}: no clause has such a name${hint}`);
  }
}

/** The APIs whose file's name contains a filter, as with Vitest. A path above the project does not count. */
function apisOf(filters: readonly string[]): readonly ApiName[] {
  const apis = ['developer', 'workspace'] as const;
  const names = (api: ApiName, filter: string): boolean =>
    resolve(filter) === testFile(api) ||
    `suites/${api}.test.ts`.includes(normalize(filter).replaceAll('\\', '/').toLowerCase());
  const stray = filters.find((filter) => !apis.some((api) => names(api, filter)));
  if (stray !== undefined) {
    const isClause = /^(developer|workspace)\./.test(stray);
    const advice = isClause ? `clauses are chosen with -t ${stray}` : 'it must be developer or workspace';
    throw new CannotRun(`Cannot judge ${stray}: ${advice}; see ${commandOf('test', '--help')}`);
  }
  return apis.filter((api) => filters.length === 0 || filters.some((filter) => names(api, filter)));
}

import { CannotRun } from '../../common/cannot-run.ts';
import { nearestHint } from '../../common/nearest.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf, chapterOf, clauses } from '../../contract/clauses.ts';
import type { Finding } from '../../results/verdict.ts';
import { noTarget, notChosen, urlSettings } from '../../settings/target.ts';

/** Which clauses a run judges. */
export interface Selection {
  has(id: string): boolean;
  /** The chosen clauses of an API, in the contract's order. */
  idsOf(api: ApiName): readonly string[];
  /** The chosen clauses that have a target. */
  readonly size: number;
  /** The words of the command line that chose some clauses; null: all clauses of the targets are judged. */
  readonly chosenBy: string | null;
  /** Why a clause is not judged; null: it is. */
  whyOutside(id: string): Outside | null;
}

/** Why a clause is not judged: its API is no target, or the command line chose others. */
interface Outside {
  readonly by: 'target' | 'selection';
  readonly finding: Finding;
}

/** The file that declares an API's clauses to Vitest, from the root of the project. */
export const testFile = (api: ApiName): string => `suites/${api}.test.ts`;

const ids = clauses.map(({ id }) => id as string);
const chapters = [...new Set(ids.map(chapterOf))];

/**
 * Selects the clauses of the targeted APIs whose id begins with the pattern, a regular expression, and whose API's file
 * a filter names. Throws CannotRun, with what was most likely meant, where nothing is selected.
 */
export function select(pattern: string | null, filters: readonly string[], targeted: readonly ApiName[]): Selection {
  const begins = pattern === null ? null : anchored(pattern);
  const apis = apisOf(filters);
  const words = [...filters, ...(pattern === null ? [] : [`-t ${pattern}`])];
  const chosenBy = words.length === 0 ? null : words.join(' ');
  const whyOutside = (id: string): Outside | null => {
    const api = apiOf(id);
    if (!targeted.includes(api)) {
      return { by: 'target', finding: { message: noTarget(api), needs: { setting: urlSettings[api] } } };
    }
    if (apis.includes(api) && (begins === null || begins.test(id))) {
      return null;
    }
    return { by: 'selection', finding: { message: notChosen(chosenBy ?? 'others') } };
  };
  const chosen = ids.filter((id) => whyOutside(id) === null);
  if (chosen.length === 0) {
    throw nothingChosen(pattern, begins, apis);
  }
  refuseIdleAlternatives(pattern ?? '');
  return {
    has: (id) => whyOutside(id) === null,
    idsOf: (api) => chosen.filter((id) => apiOf(id) === api),
    size: chosen.length,
    chosenBy,
    whyOutside,
  };
}

/** Throws CannotRun for an alternative of `developer.auth|developer.kyes` that begins no id. */
function refuseIdleAlternatives(pattern: string): void {
  const alternatives = /[()[\]\\]/.test(pattern) ? [] : pattern.split('|');
  const idle = alternatives.find((one) => !ids.some((id) => anchored(one).test(id)));
  if (idle !== undefined) {
    throw new CannotRun(`Cannot judge ${idle} of -t ${pattern}: ${noSuchId(idle)}`);
  }
}

function anchored(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})`);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ') : String(error);
    throw new CannotRun(
      `Cannot use -t ${JSON.stringify(pattern)}: ${why}; it must be the beginning of a clause id, such as developer.auth`,
    );
  }
}

/** The APIs whose file's name contains a filter, as with Vitest. A path above the project does not count. */
function apisOf(filters: readonly string[]): readonly ApiName[] {
  const apis = ['developer', 'workspace'] as const;
  if (filters.length === 0) {
    return apis;
  }
  const relative = filters.map((filter) => filter.replace(`${process.cwd()}/`, '').replace(/^\.\//, '').toLowerCase());
  const stray = relative.findIndex((filter) => !apis.some((api) => testFile(api).includes(filter)));
  if (stray >= 0) {
    const isClause = /^(developer|workspace)\./.test(relative[stray] ?? '');
    const advice = isClause ? `clauses are chosen with -t ${filters[stray]}` : 'it must be developer or workspace';
    throw new CannotRun(`Cannot judge ${filters[stray]}: ${advice}`);
  }
  return apis.filter((api) => relative.some((filter) => testFile(api).includes(filter)));
}

/** The error for a pattern and filters that choose no clause: it says which of them is to blame. */
function nothingChosen(pattern: string | null, begins: RegExp | null, apis: readonly ApiName[]): CannotRun {
  const untargeted = ids.filter((id) => (begins === null || begins.test(id)) && apis.includes(apiOf(id))).map(apiOf);
  const [api] = new Set(untargeted);
  if (api !== undefined) {
    return new CannotRun(`Cannot judge ${pattern ?? api}: ${noTarget(api)}`);
  }
  const filtered = ids.find((id) => begins?.test(id));
  if (filtered !== undefined) {
    return new CannotRun(
      `Cannot judge -t ${pattern} of the ${apis.join()} API alone: it names clauses of the ${apiOf(filtered)} API`,
    );
  }
  return new CannotRun(`Cannot judge -t ${pattern}: ${noSuchId(pattern ?? '')}`);
}

function noSuchId(beginning: string): string {
  const hint = nearestHint(beginning, [...chapters, ...ids]) || containing(beginning);
  return `no clause id starts with it${hint}; npm test -- --list shows all`;
}

/** Ids that contain the pattern elsewhere: Vitest's own -t would have found them. */
function containing(pattern: string): string {
  const found = ids.filter((id) => id.includes(pattern.toLowerCase()));
  return found.length === 0
    ? ''
    : ` (ids that contain it: ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''})`;
}

import type { ApiName, Clause } from './clause.ts';
import { developerClauses } from './developer-clauses.ts';
import { workspaceClauses } from './workspace-clauses.ts';

/** All clauses, in the order in which every report lists them. */
export const clauses: readonly Clause[] = [...developerClauses, ...workspaceClauses];

const byId = new Map(clauses.map((clause) => [clause.id as string, clause]));

/** The clause with that id. Throws if there is none: only our own code can ask for an unknown id. */
export function clauseOf(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) {
    throw new Error(`Cannot find a clause: ${id} is not in the contract`);
  }
  return clause;
}

/** Whether the contract has a clause with that id. */
export const isClause = (id: string): boolean => byId.has(id);

/** The API that a clause id begins with. */
export const apiOf = (id: string): ApiName => (id.startsWith('developer.') ? 'developer' : 'workspace');

/** The chapter that a clause belongs to: `developer.auth` for `developer.auth.header`. */
export const chapterOf = (id: string): string => id.split('.').slice(0, 2).join('.');

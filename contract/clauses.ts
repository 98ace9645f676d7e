import type { Api, Clause } from './clause.ts';
import { developerClauses } from './developer-clauses.ts';
import { workspaceClauses } from './workspace-clauses.ts';

/** All clauses, in the order in which every report lists them. */
export const clauses: readonly Clause[] = [...developerClauses, ...workspaceClauses];

const byId = new Map(clauses.map((clause) => [clause.id as string, clause]));

/** The clause of that id. Throws where there is none: an unknown id in our own code is a defect of ours. */
export function clauseOf(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) {
    throw new Error(`Cannot find a clause: ${id} is not in the contract`);
  }
  return clause;
}

/** Whether the contract has a clause of that id. */
export const isClause = (id: string): boolean => byId.has(id);

/** The API that a clause id begins with. */
export const apiOf = (id: string): Api => (id.startsWith('developer.') ? 'developer' : 'workspace');

/** `developer.auth` of `developer.auth.header`: the chapter of the report a clause stands in. */
export const chapterOf = (id: string): string => id.split('.').slice(0, 2).join('.');

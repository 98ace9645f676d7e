import { afterAll, inject, test } from 'vitest';
import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf, clauses } from '../../contract/clauses.ts';
import type { ClauseResult, Finding } from '../../results/verdict.ts';
import { openSubscriber } from './channel.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** For the user's own reporters. */
    clause?: Pick<ClauseResult, 'id' | 'level' | 'verdict' | 'source'>;
  }
}

/**
 * Declares a test for each clause of an API. The engine judges the clauses, in the main thread; a test waits for its
 * result and shows it in Vitest's terms. `fail` and `broken` fail; `skip` and `inconclusive` are skipped with the
 * finding; `warn` fails with STRICT=1 and is annotated otherwise.
 */
export function declareClauses(api: ApiName): void {
  const name = inject('verdictChannel');
  if (name === undefined) {
    throw new Error('Cannot run this file by itself: run npm test, which starts the engine behind it');
  }
  const { resultOf, close } = openSubscriber(name);
  afterAll(close);
  for (const { id, title } of clauses.filter((clause) => apiOf(clause.id) === api)) {
    test.concurrent(`${id} ${title}`, async ({ task, skip, annotate }) => {
      const result = await resultOf(id);
      const { level, verdict, source, findings } = result;
      task.meta.clause = { id, level, verdict, source };
      if (verdict === 'skip' || verdict === 'inconclusive') {
        skip(`${verdict}: ${findings[0]?.message ?? 'no reason given'}`);
      }
      if (verdict === 'fail' || verdict === 'broken' || (verdict === 'warn' && process.env.STRICT === '1')) {
        throw failure(result);
      }
      if (verdict === 'warn') {
        await annotate(findings[0]?.message ?? title, 'warning');
      }
    });
  }
}

/** Most findings that one failure shows. */
const mostShown = 5;

/** The error that fails a test. It has no stack: what is wrong is in the deployment. */
function failure({ title, source, findings }: ClauseResult): Error {
  const left = findings.length - mostShown;
  const error = new Error(
    [
      `${title} (${source})`,
      ...findings.slice(0, mostShown).map(textOf),
      ...(left > 0 ? [`… and ${counted(left, 'more finding')}`] : []),
    ].join('\n\n'),
  );
  error.name = 'Clause';
  error.stack = '';
  return error;
}

function textOf({ message, expected, actual, place, curl, cause, advice }: Finding): string {
  const rows = [
    ['Expected', expected],
    ['Actual', actual],
    ['Place', place],
    ['Likely cause', cause],
    ['To decide it', advice],
    ['Repeat', curl],
  ] as const;
  return [
    message,
    ...rows.flatMap(([label, text]) => (text === undefined ? [] : [`${label}: ${text.slice(0, 2_000)}`])),
  ].join('\n');
}

import { redactedResults } from '../../results/redact-run.ts';
import type { ClauseResult, Run } from '../../results/verdict.ts';
import { receivedBy } from '../session/evidence/received.ts';
import type { OpenSession } from '../session/open-session.ts';

/** What a session has recorded, and the results, without the secrets that were learnt after they were recorded. */
export const finishedEvidence = (
  { redactor, evidence, ...session }: Pick<OpenSession, 'redactor' | 'evidence' | 'inbox'>,
  results: readonly ClauseResult[],
): Pick<Run, 'exchanges' | 'deliveries'> & { readonly results: readonly ClauseResult[] } => ({
  exchanges: evidence.exchanges.map(({ curl: _, ...exchange }) => redactor.cleanJson(exchange)),
  deliveries: redactor.cleanJson(receivedBy({ redactor, ...session })),
  results: redactedResults(results, redactor),
});

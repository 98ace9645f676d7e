import { utf8Text } from '../../common/utf8.ts';
import { redactedResults } from '../../results/redact-run.ts';
import type { ClauseResult, ReceivedDelivery, Run } from '../../results/verdict.ts';
import type { OpenSession } from '../session/open-session.ts';

type Recorded = Pick<OpenSession, 'redactor' | 'evidence' | 'inbox'>;

/** What a session has recorded, and the results, without the secrets that were learnt after they were recorded. */
export const finishedEvidence = (
  session: Recorded,
  results: readonly ClauseResult[],
): Pick<Run, 'exchanges' | 'deliveries'> & { readonly results: readonly ClauseResult[] } => ({
  exchanges: session.evidence.exchanges.map(({ curl: _, ...exchange }) =>
    // Reports are made of the text alone.
    session.redactor.cleanJson({
      ...exchange,
      response: exchange.response && { ...exchange.response, json: undefined },
    }),
  ),
  deliveries: receivedBy(session),
  results: redactedResults(results, session.redactor),
});

/** The webhook deliveries that a session received, redacted, as reports show them. */
function receivedBy({ inbox, redactor: { clean, cleanBody } }: Recorded): ReceivedDelivery[] {
  const deliveries = inbox.kind === 'inbox' ? inbox.deliveries : [];
  return deliveries.map(({ method, registeredUrl, headers, body, answered, receivedAt }) => {
    const text = utf8Text(body);
    return {
      method: clean(method),
      url: clean(registeredUrl),
      headers: headers.map(([name, value]) => [clean(name), clean(value)] as const),
      body: text === undefined ? clean(body.toString('base64')) : cleanBody(text).text,
      encoding: text === undefined ? 'base64' : 'utf8',
      answered,
      receivedAt,
    };
  });
}

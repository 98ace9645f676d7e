import { cleanScript } from '../../common/clean-script.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Exchange, HeaderLines } from '../../results/exchange.ts';
import type { ClauseResult, Finding, Run } from '../../results/verdict.ts';
import { receivedBy } from '../session/evidence/received.ts';
import type { OpenSession } from '../session/open-session.ts';

/**
 * What a session has recorded, and the results, as reports may show them: without the secrets that were learnt later.
 * Reports write values in their own ways: escaped or cut, a secret might be found no more.
 */
export function finishedEvidence(
  session: Pick<OpenSession, 'redactor' | 'evidence' | 'inbox'>,
  results: readonly ClauseResult[],
): Pick<Run, 'exchanges' | 'deliveries'> & { readonly results: readonly ClauseResult[] } {
  const { redactor, evidence } = session;
  return {
    exchanges: evidence.exchanges.map((exchange) => withoutLateSecrets(exchange, redactor)),
    deliveries: redactor.cleanJson(receivedBy(session)) as Run['deliveries'],
    results: resultsWithoutLateSecrets(results, redactor),
  };
}

/** An exchange without the secrets that the run learnt after it was recorded. */
export const withoutLateSecrets = (exchange: Exchange, { clean, cleanJson }: Redactor): Exchange => {
  const { headers, ...request } = exchange.request;
  const { response, curl: _, ...rest } = exchange;
  return {
    ...rest,
    request: {
      ...(cleanJson(request) as Omit<Exchange['request'], 'headers'>),
      headers: withoutSecrets(headers, clean),
    },
    response: response && {
      status: response.status,
      headers: withoutSecrets(response.headers, clean),
      text: clean(response.text),
      json: cleanJson(response.json),
    },
  };
};

/** Header lines stay pairs: as lists of short texts they would be taken for a secret in pieces. */
const withoutSecrets = (headers: HeaderLines, clean: Redactor['clean']): HeaderLines =>
  headers.map(([name, value]) => [clean(name), clean(value)] as const);

const resultsWithoutLateSecrets = (results: readonly ClauseResult[], redactor: Redactor): ClauseResult[] =>
  results.map(({ findings, ...result }) => ({
    ...(redactor.cleanJson(result) as Omit<ClauseResult, 'findings'>),
    findings: findings.map(({ curl, ...finding }) => ({
      ...(redactor.cleanJson(finding) as Omit<Finding, 'curl'>),
      ...(curl === undefined ? {} : { curl: cleanScript(curl, redactor.clean) }),
    })),
  }));

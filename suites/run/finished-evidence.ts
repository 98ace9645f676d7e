import { cleanScript } from '../../common/clean-script.ts';
import { createRedactor, type Redactor } from '../../common/redact.ts';
import type { Exchange, HeaderLines } from '../../results/exchange.ts';
import type { ClauseResult, Finding } from '../../results/verdict.ts';
import { receivedBy } from '../session/evidence/received.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RunRecord } from './run-record.ts';

/**
 * What the sessions of a run have recorded, and the results, as reports may show them: without the secrets that were
 * learnt later, or from the other API. Reports write values in their own ways: escaped or cut, a secret might be found
 * no more.
 */
export function finishedEvidence(
  sessions: readonly OpenSession[],
  results: readonly ClauseResult[],
): Pick<RunRecord, 'exchanges' | 'deliveries' | 'results' | 'clean'> {
  const redactor = redactorOf(sessions);
  return {
    exchanges: sessions.flatMap(({ evidence }) =>
      evidence.exchanges.map((exchange) => withoutLateSecrets(exchange, redactor)),
    ),
    deliveries: redactor.cleanJson(sessions.flatMap(receivedBy)) as RunRecord['deliveries'],
    results: resultsWithoutLateSecrets(results, redactor),
    clean: redactor.clean,
  };
}

/** A redactor that knows the secrets of all sessions, so that each long report is redacted only once. */
function redactorOf(sessions: readonly Pick<OpenSession, 'redactor' | 'tag'>[]): Redactor {
  const joint = createRedactor(sessions.map(({ tag }) => tag));
  // A redactor remembers only so much: the session with many secrets must not crowd out those of the other.
  const fewestFirst = sessions.map(({ redactor }) => redactor.secrets).sort((a, b) => a.size - b.size);
  for (const secret of fewestFirst.flatMap((secrets) => [...secrets])) {
    joint.learn(secret);
  }
  return joint;
}

/** An exchange without the secrets that the run learnt after it was recorded, or from its other API. */
export const withoutLateSecrets = (exchange: Exchange, { clean, cleanJson }: Redactor): Exchange => {
  const { headers, ...request } = exchange.request;
  const { response } = exchange;
  return {
    ...exchange,
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
    curl: (times) => cleanScript(exchange.curl(times), clean),
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

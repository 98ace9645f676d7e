import { cleanScript } from '../../common/clean-script.ts';
import type { Redactor } from '../../common/redact.ts';
import { type Exchange, exchangeWith, type RecordedResponse } from '../../results/exchange.ts';
import type { ClauseResult, Finding } from '../../results/verdict.ts';

/**
 * An exchange without the secrets that the run learnt after it was recorded, or from its other API. Its parts are cleaned
 * when they are asked for: all at once would take as much memory again as the run.
 */
export const withoutLateSecrets = (exchange: Exchange, redactor: Redactor): Exchange =>
  exchangeWith(exchange, {
    get request() {
      return redactor.cleanJson(exchange.request) as Exchange['request'];
    },
    get response() {
      return exchange.response && responseWithout(exchange.response, redactor);
    },
    get curl() {
      return cleanScript(exchange.curl, redactor.clean);
    },
  });

const responseWithout = (response: RecordedResponse, { clean, cleanJson }: Redactor): RecordedResponse => ({
  status: response.status,
  get headers() {
    return cleanJson(response.headers) as RecordedResponse['headers'];
  },
  get text() {
    return clean(response.text);
  },
  get json() {
    return cleanJson(response.json);
  },
});

/** Results without such secrets. */
export const resultsWithoutLateSecrets = (results: readonly ClauseResult[], redactor: Redactor): ClauseResult[] =>
  results.map(({ findings, ...result }) => ({
    ...(redactor.cleanJson(result) as Omit<ClauseResult, 'findings'>),
    findings: findings.map(({ curl, ...finding }) => ({
      ...(redactor.cleanJson(finding) as Omit<Finding, 'curl'>),
      ...(curl === undefined ? {} : { curl: cleanScript(curl, redactor.clean) }),
    })),
  }));

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
      const { headers, ...request } = exchange.request;
      return {
        ...(redactor.cleanJson(request) as Omit<Exchange['request'], 'headers'>),
        headers: withoutSecrets(headers, redactor),
      };
    },
    get response() {
      return exchange.response && responseWithout(exchange.response, redactor);
    },
    get curl() {
      return cleanScript(exchange.curl, redactor.clean);
    },
  });

/** Header lines stay pairs: as lists of short texts they would be taken for a secret in pieces. */
const withoutSecrets = (headers: RecordedResponse['headers'], { clean }: Redactor): RecordedResponse['headers'] =>
  headers.map(([name, value]) => [clean(name), clean(value)] as const);

const responseWithout = (response: RecordedResponse, redactor: Redactor): RecordedResponse => ({
  status: response.status,
  get headers() {
    return withoutSecrets(response.headers, redactor);
  },
  get text() {
    return redactor.clean(response.text);
  },
  get json() {
    return redactor.cleanJson(response.json);
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

import type { Redactor } from '../../common/redact.ts';
import { type Exchange, exchangeWith, type RecordedResponse } from '../../results/exchange.ts';

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
      return redactor.clean(exchange.curl);
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

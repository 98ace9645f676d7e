import type { FailureKind } from '../common/transport-failure.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { cacheMark, intermediaryOf } from './intermediaries.ts';

const down = 'The deployment, or an instance of it, went down during the run';

const dropped = 'The server, or a proxy in front of it, dropped the connection during the call';

/** The usual causes of transport failures, by their kind. */
const ofFailures: Readonly<Partial<Record<FailureKind, string>>> = {
  timeout: 'The deployment hangs on this call, or takes longer than TIMEOUT_MS',
  closed: dropped,
  reset: dropped,
  refused: down,
  dns: down,
  length: 'The body was cut off or measured in characters instead of bytes: look at what sets Content-Length',
  encoding: 'The body was encoded twice, or labelled with an encoding it does not have',
};

/** The causes that say that somebody else than the deployment answered: findings that share one have one root cause. */
export const answeredInPlace = / answered in place of the (API|deployment)|^\d+ outside the API's format: /;

/** The most likely cause of a wrong answer, whatever the clause; undefined if the answer gives no hint. */
export function likelyCause({ response, failure, purpose, keyLabel }: Exchange): string | undefined {
  if (failure !== null) {
    return ofFailures[failure.kind];
  }
  if (response === null) {
    return undefined;
  }
  const intermediary = intermediaryOf(response);
  if (intermediary !== undefined) {
    return `${intermediary.who} answered in place of the API: ${intermediary.advice}`;
  }
  const cached = cacheMark(response);
  if (cached !== undefined) {
    return `A cache answered in place of the deployment (${cached}): it must not keep answers of this API`;
  }
  const type = headerOf(response.headers, 'content-type') ?? '';
  const location = headerOf(response.headers, 'location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `Something redirects to ${location.slice(0, 200)}: a sign-in page, another scheme or host, or a slash at the end`;
  }
  const isHtml = /\bhtml\b/i.test(type);
  if (isHtml && [404, 405].includes(response.status)) {
    return "No route matches this call: the answer is a framework's or gateway's own error page";
  }
  if (isHtml) {
    return "Got an HTML page: the answer is a framework's or gateway's own error page";
  }
  if (response.status === 403 && purpose === 'documented' && /^[A-Z_]+_API_KEY$/.test(keyLabel ?? '')) {
    return `${keyLabel} may lack permission: set it to a key that may make every documented call`;
  }
  if (response.status > 500) {
    return 'The deployment, or what it needs, was not there for this call: look for a restart, an overload or a timeout';
  }
  if (response.status === 500) {
    return 'The deployment crashed on this call: search its log for the trace id, or for the time of the call';
  }
  return undefined;
}

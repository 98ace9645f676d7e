import { type FailureKind, TransportFailure } from '../../../common/transport-failure.ts';
import { withoutUser } from '../../../settings/advice.ts';
import type { HttpProxy } from '../../../settings/proxies.ts';

/** Behind a proxy, these mean that the proxy cannot be reached, or refuses. It looks hosts up and connects to them. */
const ofProxy: readonly FailureKind[] = ['refused', 'dns', 'other'];

/** The failure of a call that went through a proxy. It says so, and whether it is the proxy that failed. */
export function throughProxy(failure: TransportFailure, { url, variable }: HttpProxy): TransportFailure {
  const proxy = `proxy ${withoutUser(url)}, which ${variable} names`;
  if (!ofProxy.includes(failure.kind)) {
    return new TransportFailure(failure.kind, `${failure.message}, through the ${proxy}`, failure);
  }
  // undici gives the status of a refusal only in its message.
  const [, status] = /\((\d{3})\)/.exec(failure.message) ?? [];
  const why = status === undefined ? `fails: ${failure.message}` : `answers ${status}`;
  return new TransportFailure('proxy', `The ${proxy}, ${why}`, failure);
}

import type { Exchange } from '../../../results/exchange.ts';

/** Whether a status is what a gateway answers while the deployment behind it is away. */
export const isGatewayError = (status: number): boolean => status >= 502 && status <= 504;

const isServerError = (status: number): boolean => status >= 500;

/**
 * The numbers of the calls that got a 5xx once and, when they were sent again, did not: accidents, which are noted and
 * fail nothing. `isBroken`: which statuses count.
 */
export const accidentsIn = (exchanges: readonly Exchange[], isBroken = isServerError): ReadonlySet<number> =>
  callsBrokenOnce(exchanges, isBroken).accidents;

/** The numbers of the calls that got a 5xx, and were not sent again to show whether that was an accident. */
export const brokenAndNotRepeated = (exchanges: readonly Exchange[], isBroken = isServerError): ReadonlySet<number> =>
  callsBrokenOnce(exchanges, isBroken).unrepeated;

/** Only calls that change nothing are sent again: reads, and calls that must be refused. */
function callsBrokenOnce(
  exchanges: readonly Exchange[],
  isBroken: (status: number) => boolean,
): Readonly<Record<'accidents' | 'unrepeated', ReadonlySet<number>>> {
  const accidents = new Set<number>();
  if (!exchanges.some(({ response }) => isBroken(response?.status ?? 0))) {
    return { accidents, unrepeated: new Set() };
  }
  /** By call, the number of the exchange that broke, where the next one like it has not come yet. */
  const brokenOnce = new Map<string, number>();
  for (const { number, keyLabel, purpose, request, response } of [...exchanges].sort((a, b) => a.number - b.number)) {
    if ((request.method !== 'GET' && purpose === 'documented') || response === null) {
      continue;
    }
    // How much of a key a URL shows depends on the secrets that were known when it was sent.
    const url = request.url.replace(/(?<=[?&]api_key=)[^&]*/, '');
    const call = `${keyLabel ?? ''} ${request.method} ${url} ${request.body ?? ''}`;
    const before = brokenOnce.get(call);
    brokenOnce.delete(call);
    if (isBroken(response.status)) {
      if (before === undefined) {
        brokenOnce.set(call, number);
      }
    } else if (before !== undefined) {
      accidents.add(before);
    }
  }
  return { accidents, unrepeated: new Set(brokenOnce.values()) };
}

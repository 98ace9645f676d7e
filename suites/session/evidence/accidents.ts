import type { Exchange } from '../../../results/exchange.ts';

/** Whether a status is what a gateway answers while the deployment behind it is away. */
export const isGatewayError = (status: number): boolean => status >= 502 && status <= 504;

/**
 * The numbers of the calls that got a 5xx once and, when they were sent again, did not: accidents, which are noted and
 * fail nothing. And of those that were not sent again to show it. Only calls that change nothing are: reads, and calls
 * that must be refused. `isBroken`: which statuses count.
 */
export function accidentsIn(
  exchanges: readonly Exchange[],
  isBroken = (status: number): boolean => status >= 500,
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

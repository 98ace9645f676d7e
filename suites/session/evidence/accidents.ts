import type { Exchange } from '../../../results/exchange.ts';

/** What a server before the deployment answers while that one is away for a moment. */
export const isGatewayError = (status: number): boolean => status >= 502 && status <= 504;

/**
 * Numbers of the calls that got a 5xx, and not again when they were repeated: accidents, which are noted and fail nothing.
 * Repeated are reads, and calls that are to be refused, which change nothing. `isBroken`: those that count as the same.
 */
export function accidentsIn(
  exchanges: readonly Exchange[],
  isBroken = (status: number): boolean => status >= 500,
): ReadonlySet<number> {
  const accidents = new Set<number>();
  if (!exchanges.some(({ response }) => isBroken(response?.status ?? 0))) {
    return accidents;
  }
  const broken = new Map<string, number>();
  for (const { number, keyLabel, purpose, request, response } of [...exchanges].sort((a, b) => a.number - b.number)) {
    const call = `${keyLabel ?? ''} ${request.method} ${request.url} ${request.body ?? ''}`;
    if ((request.method !== 'GET' && purpose === 'documented') || response === null) {
      continue;
    }
    const before = broken.get(call);
    if (!isBroken(response.status) && before !== undefined) {
      accidents.add(before);
    }
    broken.delete(call);
    if (isBroken(response.status) && before === undefined) {
      broken.set(call, number);
    }
  }
  return accidents;
}

import type { Exchange } from '../../results/exchange.ts';

/**
 * Numbers of the reads that got a 5xx and did not get it again when they were made once more (clauses.md, no-server-error):
 * accidents, which are noted and fail nothing.
 */
export function accidentsIn(exchanges: readonly Exchange[]): ReadonlySet<number> {
  const accidents = new Set<number>();
  const broken = new Map<string, number>();
  for (const { number, keyLabel, request, response } of [...exchanges].sort((a, b) => a.number - b.number)) {
    const call = `${keyLabel ?? ''} ${request.url}`;
    if (request.method !== 'GET' || response === null) {
      continue;
    }
    const before = broken.get(call);
    if (response.status < 500 && before !== undefined) {
      accidents.add(before);
    }
    broken.delete(call);
    if (response.status >= 500 && before === undefined) {
      broken.set(call, number);
    }
  }
  return accidents;
}

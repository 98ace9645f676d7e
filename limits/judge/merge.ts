import { clockOffset } from './headers.ts';
import type { Sample } from './trace.ts';

/**
 * The samples of several clients on the server's clock, which Date headers show. Each interval between sending and
 * response is widened by the uncertainty of its client's clock, so the judge stays correct on the merged trace. null if
 * a client has no usable Date.
 */
export function ontoServerClock(traces: readonly (readonly Sample[])[]): Sample[] | null {
  const moved: Sample[] = [];
  for (const trace of traces) {
    const offset = clockOffset(trace);
    if (offset === null) {
      return null;
    }
    for (const sample of trace) {
      moved.push({ ...sample, sentAt: sample.sentAt + offset.from, receivedAt: sample.receivedAt + offset.to });
    }
  }
  return moved.sort((a, b) => a.sentAt - b.sentAt);
}

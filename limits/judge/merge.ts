// Traces of several machines brought onto one clock: the deployment's own, as far as its Date headers tell it.
import { clockOffset } from './headers.ts';
import type { Sample } from './trace.ts';

/**
 * Samples of several clients on the server's clock. Each interval is widened by what is not known of its client's clock,
 * so that what is certain of the merged trace is certain. null where a client's answers carry no usable Date.
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

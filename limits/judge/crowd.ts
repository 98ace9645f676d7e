import type { Sample } from './trace.ts';

/** When a call was under way. */
type Span = Pick<Sample, 'sentAt' | 'receivedAt'>;

/** Whether a call was already under way, or began, while another was. Calls that take no time are beside no other. */
const isBeside = (other: Span, { sentAt, receivedAt }: Span): boolean =>
  other.sentAt <= receivedAt && other.receivedAt > sentAt;

/**
 * The fewest calls that were under way beside any of the refused ones, without other refused ones; 0 if one of these
 * was alone. A limit of calls at once refuses a call only beside as many as it admits.
 */
export const fewestBeside = (refused: readonly Span[], admitted: readonly Span[]): number =>
  refused.reduce(
    (fewest, call) => Math.min(fewest, admitted.filter((other) => isBeside(other, call)).length),
    refused.length === 0 ? 0 : admitted.length,
  );

/** What is said of a limit of calls at once. */
export const crowdSays = (atOnce: number): string =>
  `Calls also got 429 while ${atOnce} or more others were under way, and not one after the other: that limits the calls at once, of which the documents say nothing. The minute was judged with fewer at once.`;

import type { Range } from './trace.ts';

/** Whether a call was already under way, or began, while another was. Calls that take no time are beside no other. */
const isBeside = (other: Range, { from, to }: Range): boolean => other.from <= to && other.to > from;

/**
 * The fewest calls that were under way beside any of the refused ones, without other refused ones; 0 if one of these
 * was alone. A limit on concurrent calls refuses a call only beside as many as it admits.
 */
export const fewestBeside = (refused: readonly Range[], admitted: readonly Range[]): number =>
  refused.reduce(
    (fewest, call) => Math.min(fewest, admitted.filter((other) => isBeside(other, call)).length),
    refused.length === 0 ? 0 : admitted.length,
  );

/** What is said of a limit on concurrent calls. */
export const crowdSays = (atOnce: number): string =>
  `Calls also got 429 with ${atOnce} or more others in flight, but not one at a time: a concurrency limit, which the documents do not mention. The minute was judged with fewer concurrent calls.`;

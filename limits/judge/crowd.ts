import type { Sample } from './trace.ts';

/** When a call was under way. */
type Span = Pick<Sample, 'sentAt' | 'receivedAt'>;

/** Whether a call was already under way, or began, while another was. Calls that take no time are beside no other. */
const isBeside = (other: Span, { sentAt, receivedAt }: Span): boolean =>
  other.sentAt <= receivedAt && other.receivedAt > sentAt;

/**
 * The fewest calls that were under way beside any of the refused ones, without other refused ones; 0 if one of these
 * was alone. A limit on concurrent calls refuses a call only beside as many as it admits.
 */
export const fewestBeside = (refused: readonly Span[], admitted: readonly Span[]): number =>
  refused.reduce(
    (fewest, call) => Math.min(fewest, admitted.filter((other) => isBeside(other, call)).length),
    refused.length === 0 ? 0 : admitted.length,
  );

/** What is said of a limit on concurrent calls. */
export const crowdSays = (atOnce: number): string =>
  `Calls also got 429 with ${atOnce} or more others in flight, but not one at a time: a concurrency limit, which the documents do not mention. The minute was judged with fewer concurrent calls.`;

/**
 * How many concurrent calls were admitted in the drive before the last one, if it ended because more were refused; null
 * otherwise. The calls that found this out have the phase `alone`.
 */
export function atOnceBefore(samples: readonly Sample[], key: string): number | null {
  const plain = samples.filter((sample) => sample.key === key && sample.route === undefined);
  const last = plain.findLastIndex(({ phase }) => phase === 'opener');
  const before = plain.slice(
    plain.slice(0, Math.max(0, last)).findLastIndex(({ phase }) => phase === 'opener') + 1,
    last,
  );
  const drive = before.filter(({ phase }) => phase !== 'alone');
  const refused = drive.filter(({ status }) => status === 429);
  return last < 0 || drive.length === before.length
    ? null
    : fewestBeside(
        refused,
        drive.filter(({ status }) => status !== 429),
      );
}

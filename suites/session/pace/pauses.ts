import { admittedAfter, type Lane, type Pace, type PauseState } from './lane.ts';

/** The first pause if the answer does not say how long, as a share of a window; each further one is twice as long. */
export const firstPause = 1 / 16;

/** This many pauses in a row last as long as the answers ask; after that they double, too. */
const pausesBelieved = 3;

/** How long a pause after a refusal is, ms. `given`: what the answer asks for; null: it does not say. */
export function pauseLength(lane: Lane, { pauses }: PauseState, given: number | null, windowMs: number): number {
  const first = lane.spacingMs || windowMs * firstPause;
  const doubled = Math.min(windowMs, first * 2 ** pauses);
  // What was said did not help: whoever is told to try again at once must not hammer the deployment.
  return given === null || pauses > pausesBelieved ? Math.max(given ?? 0, doubled) : given;
}

/** Spaces calls at the pace of the limit; at half the pace so far, if hardly any was admitted since a pause. */
export function slowDown(lane: Lane, { pauses, pausedUntil }: PauseState, { limit, windowMs }: Pace): void {
  const isTooFast = pauses === 0 && admittedAfter([lane], pausedUntil) < limit * firstPause;
  const slower = Math.min(windowMs * firstPause, 2 * lane.spacingMs);
  lane.spacingMs = Math.max(windowMs / limit, isTooFast ? slower : lane.spacingMs);
}

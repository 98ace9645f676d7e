/**
 * The moments of a run that checks may wait for. `quiet`: no other check sends calls. `badKeys`: a lockout can harm no
 * other clause, so that calls with a bad key, or without one, may be made.
 */
export type Moment = 'quiet' | 'badKeys';

/** A moment that has come, or is waited for. */
export interface Wait {
  readonly moment: Moment;
  readonly isOver: boolean;
}

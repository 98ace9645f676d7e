import type { Transport } from '../../suites/session/transport/transport.ts';

/** The moment at which a run is killed. */
export interface Kill {
  /** At which call, counted from 1; if `creations`, only calls that create something are counted. */
  readonly at: number;
  readonly creations: boolean;
  /** Whether the deployment still gets the call, although nobody reads its answer. */
  readonly arrives: boolean;
}

/** A run that may die: its transport, which is silent from then on, and its death. */
interface Mortal {
  readonly transport: Transport;
  /** Resolves with null when the run dies. */
  readonly died: Promise<null>;
  isDead(): boolean;
}

/** A transport that is silent from the kill on. */
export function mortal(next: Transport, kill: Kill | undefined): Mortal {
  const { promise: died, resolve: die } = Promise.withResolvers<null>();
  let [dead, counted] = [false, 0];
  const transport: Transport = async (request, bounds) => {
    if (dead) {
      return new Promise(() => {});
    }
    counted += Number(kill !== undefined && (!kill.creations || request.method === 'POST'));
    if (kill === undefined || counted < kill.at) {
      return next(request, bounds);
    }
    dead = true;
    if (kill.arrives) {
      await next(request, bounds);
    }
    die(null);
    return new Promise(() => {});
  };
  return { transport, died, isDead: () => dead };
}

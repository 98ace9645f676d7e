import { type Moment, noteWait } from './attribution.ts';

interface Moments {
  /** Resolves at the moment. Throws where a check waits for it that does not say so (`atMoment`). */
  until(moment: Moment): Promise<void>;
  /** Lets the moment come. */
  reach(moment: Moment): void;
}

export function createMoments(): Moments {
  const open = (moment: Moment) => ({ wait: { moment, isOver: false }, ...Promise.withResolvers<void>() });
  const moments = { quiet: open('quiet'), badKeys: open('badKeys') };
  return {
    async until(moment) {
      const { wait, promise } = moments[moment];
      noteWait(wait);
      return promise;
    },
    reach(moment) {
      const { wait, resolve } = moments[moment];
      wait.isOver = true;
      resolve();
    },
  };
}

import type { ApiKey } from '../../../../../suites/session/key.ts';
import { createPacer, type Pacer } from '../../../../../suites/session/pace/pacer.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';

/** A key of the run. */
export const keyOf = (secret: string, rest: Partial<ApiKey> = {}): ApiKey => ({
  secret,
  label: secret,
  environment: 'sandbox',
  origin: 'own',
  ...rest,
});

/** A pacer on a virtual clock that begins at 0. */
export function openPacer(perMinute: number): { clock: ReturnType<typeof createVirtualClock>; pacer: Pacer } {
  const clock = createVirtualClock(0);
  return { clock, pacer: createPacer({ clock, keysShareBudget: false, clockSpeed: 1, perMinute: () => perMinute }) };
}

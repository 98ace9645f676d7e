import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bounds the memory of things that others hold on to: each counts until nobody holds it any more. */
export interface Holding {
  /** Whether something of that weight still fits. Looks what is still held, where it seems not to. */
  fits(weight: number): boolean;
  /** Counts the thing from now on. */
  hold(thing: object, weight: number): void;
}

/** `most`: what all things together may weigh. */
export function createHolding(most: number, collect: () => void = collectGarbage): Holding {
  let held: { readonly thing: WeakRef<object>; readonly weight: number }[] = [];
  const weigh = (): number => {
    held = held.filter(({ thing }) => thing.deref() !== undefined);
    return held.reduce((sum, { weight }) => sum + weight, 0);
  };
  return {
    fits(weight) {
      if (weigh() + weight <= most) {
        return true;
      }
      collect();
      return weigh() + weight <= most;
    },
    hold(thing, weight) {
      held.push({ thing: new WeakRef(thing), weight });
    },
  };
}

/** Node shows its collector to those alone who ask for it; asking is cheap beside collecting. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

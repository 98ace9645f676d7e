import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The bytes that the result of `make`, and everything that it left elsewhere, take in memory after a garbage
 * collection.
 */
export async function bytesHeldBy(make: () => unknown): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = async (): Promise<number> => {
    for (let round = 0; round < 3; round += 1) {
      collect();
      await setImmediate();
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = await used();
  const held = [make()];
  const after = await used();
  return held.length === 1 ? after - before : 0;
}

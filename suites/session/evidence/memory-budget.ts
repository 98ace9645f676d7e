import { setFlagsFromString } from 'node:v8';
import type { Transport } from '../transport/transport.ts';
import type { PackedStore } from './packed-store.ts';

/** Bytes above which a body is large, and of all large bodies of a run: once there were more, no large one is taken. */
const largeBody = 256 * 1024;
const mostInLarge = 8 * 1024 * 1024;
/** Bytes in the packed store above which only tiny bodies are taken. Lists take a tenth of their text there. */
const mostPacked = 8 * 1024 * 1024;
const tinyBody = 16 * 1024;
/** More bytes than a body of a usual run has, and than all of its bodies add up to. */
const usualBody = 64 * 1024;
const mostUsual = 1024 * 1024;

/**
 * Keeps a run within its memory: the bodies that the transport takes become smaller when the run has received much in
 * large bodies, or when `store` holds much.
 */
export function withinMemory(transport: Transport, store: Pick<PackedStore, 'size'>): Transport {
  let received = 0;
  let receivedInLarge = 0;
  return async (request, bounds) => {
    const maxOfRun = receivedInLarge > mostInLarge ? largeBody : bounds.maxBody;
    const maxBody = Math.min(store.size > mostPacked ? tinyBody : maxOfRun, bounds.maxBody);
    const response = await transport(request, { ...bounds, maxBody });
    const { length } = response.body;
    received += length;
    receivedInLarge += length > largeBody ? length : 0;
    if (received > mostUsual || length > usualBody) {
      // From here on the garbage of large answers takes the memory: have it collected more often. From the start, it
      // would slow usual runs down by a fifth.
      setFlagsFromString('--heap-growing-percent=10');
    }
    return response;
  };
}

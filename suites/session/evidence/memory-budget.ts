import { setFlagsFromString } from 'node:v8';
import type { Transport } from '../transport/transport.ts';
import type { Evidence } from './evidence.ts';
import type { PackedStore } from './packed-store.ts';

/** Bytes above which a body is large, and of all large bodies of a run: once there were more, no large one is taken. */
const largeBody = 256 * 1024;
const mostInLarge = 8 * 1024 * 1024;
/** Bytes in the packed store above which only tiny bodies are taken. Lists take a tenth of their text there. */
const mostPacked = 8 * 1024 * 1024;
const tinyBody = 16 * 1024;
/** More bytes than large answers of a usual run take when they are unpacked. */
const mostUsual = 4 * 1024 * 1024;

/** Where a session keeps what it was answered. */
interface Kept {
  readonly store: Pick<PackedStore, 'size' | 'weight'>;
  readonly evidence: Pick<Evidence, 'wasNearlyFull'>;
}

/**
 * Keeps a run within its memory: the bodies that the transport takes become smaller when the run has received much in
 * large bodies, or when `store` holds much; and V8 saves memory when more is kept than usual.
 */
export function withinMemory(transport: Transport, { store, evidence }: Kept): Transport {
  let receivedInLarge = 0;
  let isTight = false;
  return async (request, bounds) => {
    const maxOfRun = receivedInLarge > mostInLarge ? largeBody : bounds.maxBody;
    const maxBody = Math.min(store.size > mostPacked ? tinyBody : maxOfRun, bounds.maxBody);
    const response = await transport(request, { ...bounds, maxBody });
    const { length } = response.body;
    receivedInLarge += length > largeBody ? length : 0;
    if (!isTight && (evidence.wasNearlyFull || store.weight > mostUsual)) {
      isTight = true;
      tighten();
    }
    return response;
  };
}

/**
 * Has V8 prefer memory to speed from now on. From the start, that would slow usual runs down by a third. Collects once,
 * since V8 sets the next limit of its heap when it has collected. All of this concerns the whole process, so it is done
 * only where `--expose-gc` allows it, as for `npm test`.
 */
function tighten(): void {
  if (globalThis.gc !== undefined) {
    setFlagsFromString('--heap-growing-percent=10');
    setFlagsFromString('--optimize-for-size');
    globalThis.gc();
  }
}

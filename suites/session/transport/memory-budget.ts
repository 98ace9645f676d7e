import { setFlagsFromString } from 'node:v8';
import type { PackedStore } from '../evidence/packed-store.ts';
import type { Transport } from './transport.ts';

/** What counts as large, and how many bytes of large answers a run may take: then all have to be small. */
const [small, mostInLarge] = [256 * 1024, 8 * 1024 * 1024];
/** More bytes of answers than a run usually takes. */
const mostUsual = 4 * 1024 * 1024;
/** How many bytes of answers may be kept, packed: then all have to be so small. Lists take a tenth of their text there. */
const [tiny, mostPacked] = [16 * 1024, 8 * 1024 * 1024];

/** Keeps a run within its memory: large answers are taken up to a bound on their sum, small ones up to one on all that is kept. */
export function withinMemory(transport: Transport, store: Pick<PackedStore, 'size'>): Transport {
  let [inAll, inLarge] = [0, 0];
  return async (request, bounds) => {
    const most = store.size > mostPacked ? tiny : inLarge > mostInLarge ? small : bounds.maxBody;
    const response = await transport(request, { ...bounds, maxBody: Math.min(most, bounds.maxBody) });
    inAll += response.body.length;
    inLarge += response.body.length > small ? response.body.length : 0;
    if (inAll > mostUsual) {
      // The garbage of large answers is what takes memory then: it is collected more often.
      setFlagsFromString('--heap-growing-percent=10');
    }
    return response;
  };
}

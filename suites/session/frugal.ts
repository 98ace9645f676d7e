import { setFlagsFromString } from 'node:v8';
import type { Shelf } from './shelf.ts';
import type { Transport } from './transport.ts';

/** What counts as large, and how many bytes of large answers a run may take: then all have to be small. */
const [small, mostInLarge] = [256 * 1024, 8 * 1024 * 1024];
/** More bytes of answers than a run usually takes. */
const mostUsual = 4 * 1024 * 1024;
/** How many bytes of answers may be kept, packed: then all have to be so small. Lists take a tenth of their text there. */
const [tiny, mostPacked] = [16 * 1024, 8 * 1024 * 1024];

/** Takes large answers until they have come to so many bytes, and small ones until what steps remember of all has. */
export function frugal(transport: Transport, shelf: Pick<Shelf, 'size'>): Transport {
  let [inAll, inLarge] = [0, 0];
  return async (request, bounds) => {
    const most = shelf.size > mostPacked ? tiny : inLarge > mostInLarge ? small : bounds.maxBody;
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

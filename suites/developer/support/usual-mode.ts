import type { KeyMode } from '../../session/key.ts';
import { step } from '../../session/step.ts';
import { read } from '../../shared/reads.ts';

const first = 'GET /api/v1/platform/me';

/**
 * The way of sending a key for calls that name none: the recommended one, or the query on a deployment that refuses the key
 * in the header and takes it there. A broken mode is one clause's fault, and the others are judged all the same.
 */
export const usualMode = step(async (session): Promise<KeyMode> => {
  const { status } = await read(session, first, { mode: 'header' });
  return status === 401 && (await read(session, first, { mode: 'query' })).accepted ? 'query' : 'header';
});

import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import { type CallDetails, callOf } from '../../session/call.ts';
import type { ApiKey, KeyMode } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { bodyFor } from './bodies.ts';

/** Writes with which keys are tried, those first that leave least behind. */
const writes = [
  'POST /api/v1/inbox/categorize',
  'POST /api/v1/content/review',
  'POST /api/v1/ads/audits',
  'POST /api/v1/investor/updates',
  'POST /api/v1/inbox/draft',
];

/** The first of the writes that the main key may make. Throws Inconclusive where it may make none. */
const workingWrite = step(async (session): Promise<Endpoint> => {
  for (const endpoint of writes.map(endpointOf)) {
    const arranged = session.api.arrange(session, endpoint, 'a working write');
    const twin = await resultOrNull(arranged.then((call) => call.twin()));
    if (twin?.accepted === true) {
      return endpoint;
    }
  }
  throw new Inconclusive({
    message: 'No write of a module works with the given key, so nothing shows whether another key may write',
    advice: 'Add a working body for one of the writes to your BODIES file',
  });
});

/** Sends a working write with any key, at once; `label` is in its body. Throws Inconclusive where none works. */
export async function tryWrite(
  session: Session,
  key: ApiKey,
  label: string,
  details: Omit<CallDetails, 'id' | 'body'> = {},
): Promise<Answer> {
  const call = await session.api.arrange(session, await workingWrite(session), label);
  return call.send({ purpose: 'documented', ...details, key });
}

const documentedWrite = 'POST /api/v1/inbox/draft';

/** Sends a write in a mode: one that works or, where none does in the usual mode, one with a documented body. */
export async function tryWriteIn(session: Session, key: ApiKey, mode: KeyMode): Promise<Answer> {
  const works = (await resultOrNull(workingWrite(session))) !== null;
  return works
    ? tryWrite(session, key, `in the ${mode}`, { mode })
    : session.client.send(callOf(endpointOf(documentedWrite), key, { mode, body: bodyFor(session, documentedWrite) }));
}

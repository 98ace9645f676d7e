import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { Difference } from '../../session/api.ts';
import type { ApiKey, KeyMode } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';

const draft = endpointOf('POST /api/v1/inbox/draft');

/** Writes with which keys are tried, those first that leave least behind. */
const writes: readonly Endpoint[] = [
  ...['inbox/categorize', 'content/review', 'ads/audits', 'investor/updates'].map((path) =>
    endpointOf(`POST /api/v1/${path}`),
  ),
  draft,
];

/** The first of the writes that the main key may make. Throws Inconclusive where it may make none. */
const workingWrite = step(async (session): Promise<Endpoint> => {
  for (const endpoint of writes) {
    const arranged = session.api.arrange(session, endpoint, 'a working write');
    if ((await resultOrNull(arranged.then((call) => call.twin())))?.accepted) {
      return endpoint;
    }
  }
  throw new Inconclusive({
    message: 'No write of a module works with the given key, so nothing shows whether another key may write',
    advice: 'Add a working body for one of the writes to your BODIES file',
  });
});

/** Sends a working write with any key, at once; `label` is in its body. Throws Inconclusive where none works. */
export const tryWrite = async (
  session: Session,
  key: ApiKey,
  label: string,
  details: Difference = {},
): Promise<Answer> => sendWrite(session, await workingWrite(session), label, { ...details, key });

/** Sends a write in a mode: one that works or, where none does in the usual mode, the one whose body is documented. */
export async function tryWriteIn(session: Session, key: ApiKey, mode: KeyMode): Promise<Answer> {
  const endpoint = (await resultOrNull(workingWrite(session))) ?? draft;
  return sendWrite(session, endpoint, `in the ${mode}`, { key, mode });
}

async function sendWrite(session: Session, endpoint: Endpoint, label: string, difference: Difference): Promise<Answer> {
  const call = await session.api.arrange(session, endpoint, label);
  return call.send({ purpose: 'documented', ...difference });
}

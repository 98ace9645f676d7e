import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Body } from '../../records/bodies.ts';
import type { Answer } from '../../session/answer.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { createKey, keyName } from '../keys/creation.ts';
import { targetKey } from '../keys/lending.ts';
import { rotateKey } from '../keys/rotation.ts';
import { keysPath } from '../keys/run-key.ts';
import { remarked, twinOf } from './twins.ts';

/**
 * Arranges a documented call and its twin. `label` is in the bodies, so that what a refused write left behind can
 * be found; a call on a key is made on one that nothing else needs. Throws Inconclusive where the twin cannot be made,
 * Skipped where the settings forbid it.
 */
export async function arrange(session: Session, endpoint: Endpoint, label: string): Promise<ArrangedCall> {
  const { answer: twin, body } = await twinOf(session, endpoint.id);
  const sendWith = async (difference: Difference): Promise<Answer> => {
    const { reshape = (whole) => whole, key = mainKey(session), ...rest } = difference;
    const details = { purpose: 'refusal' as const, ...rest, key };
    switch (endpoint.id) {
      case `POST ${keysPath}`: {
        const name = keyName(session, label);
        const creation = { tag: name, body: reshape({ ...(body as Body), name }) };
        return (await createKey(session, { ...details, ...creation })).answer;
      }
      case `POST ${keysPath}/:id/rotate`:
        return (await rotateKey(session, await targetKey(session), details)).answer;
      default:
        return send(session, endpoint.id, {
          ...details,
          ...(endpoint.path.includes(':id') ? { id: (await targetKey(session)).id } : {}),
          ...(endpoint.body === undefined ? {} : { body: reshape(remarked(session, body, label)) }),
        });
    }
  };
  return { endpoint, twin: async () => twin, send: sendWith };
}

import type { Endpoint } from '../../../contract/endpoint.ts';
import { settle } from '../../engine/parts.ts';
import type { Body } from '../../records/bodies.ts';
import type { Answer } from '../../session/answer.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { createKey, keyName, mainEnvironment } from '../keys/creation.ts';
import { targetKey, targetKeyRead } from '../keys/lending.ts';
import { rotateKey } from '../keys/rotation.ts';
import { keysPath, type RunKey } from '../keys/run-key.ts';
import { rotatedStory } from '../keys/story.ts';
import { remarked } from './bodies.ts';
import { type Twin, twinOf } from './twins.ts';

/**
 * Arranges a documented call and its twin. `label` is in the bodies, so that what a refused write left behind can
 * be found. Throws Inconclusive where the twin cannot be made, Skipped where the settings forbid it.
 */
export async function arrange(session: Session, endpoint: Endpoint, label: string): Promise<ArrangedCall> {
  const twin = await twinOf(session, endpoint.id);
  return {
    endpoint,
    twin: async () => twin.answer,
    send: (difference) =>
      endpoint.id === `POST ${keysPath}`
        ? sendCreation(session, twin, label, difference)
        : sendOther(session, endpoint, twin, label, difference),
  };
}

/** Sends a key request. A key that it makes, though it should be refused, is deleted with the main key. */
async function sendCreation(
  session: Session,
  { body }: Twin,
  label: string,
  { reshape = (whole) => whole, key, ...details }: Difference,
): Promise<Answer> {
  const name = keyName(session, label);
  const { answer } = await createKey(session, {
    purpose: 'refusal',
    ...details,
    tag: name,
    body: reshape({ ...(body as Body), name }),
    ...(key === undefined ? {} : { key }),
  });
  return answer;
}

/** The target key. It is made after the key that is rotated: a full account might not have room for both. */
async function target(session: Session): Promise<RunKey> {
  await settle(rotatedStory(session, mainEnvironment(session)));
  const own = await targetKey(session);
  await settle(targetKeyRead(session));
  return own;
}

async function sendOther(
  session: Session,
  endpoint: Endpoint,
  twin: Twin,
  label: string,
  { reshape = (whole) => whole, key = mainKey(session), ...details }: Difference,
): Promise<Answer> {
  if (endpoint.id === `POST ${keysPath}/:id/rotate`) {
    return (await rotateKey(session, await target(session), { purpose: 'refusal', ...details, key })).answer;
  }
  return send(session, endpoint.id, {
    purpose: 'refusal',
    ...details,
    key,
    ...(endpoint.path.includes(':id') ? { id: (await target(session)).id } : {}),
    ...(endpoint.body === undefined ? {} : { body: reshape(remarked(session, twin.body, label)) }),
  });
}

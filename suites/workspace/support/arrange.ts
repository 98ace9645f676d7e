import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Kind } from '../../../fixtures/workspace-bodies.ts';
import { settle } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { Arranged, Difference } from '../../session/api.ts';
import { mainKey } from '../../session/keys.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { canDelete } from '../../shared/collections.ts';
import { read } from '../../shared/reads.ts';
import { createRecord, deleteRecord } from '../../shared/records.ts';
import { changed } from './changes.ts';
import { type Attempt, assertCreated } from './create.ts';
import { agentDeleted } from './deletions.ts';
import { details } from './details.ts';
import { kindOf, type Readable } from './kinds.ts';
import { listeners, looksAtDeliveries } from './listeners.ts';
import { mainRecord, recordFor, reworded } from './records.ts';
import { copyOf, firstWebhook, registration } from './registrations.ts';

/** A documented call that can also be made once more as it is documented. */
export interface Repeatable extends Arranged {
  /** The answer to the call as it is documented, now and in other words; what it makes is deleted at once. null: it deletes. */
  again(): Promise<Answer | null>;
}

/**
 * Arranges a documented call. What it deletes is made for that; `label` names it. Throws Inconclusive where there is no
 * record to call it on, Skipped where the settings forbid making one.
 */
export function arrange(session: Session, endpoint: Endpoint, label: string): Promise<Repeatable> {
  switch (endpoint.method) {
    case 'POST':
      return arrangeCreate(session, endpoint);
    case 'PATCH':
      return arrangeChange(session, endpoint);
    case 'DELETE':
      return arrangeDelete(session, endpoint, label);
    case 'GET':
      return endpoint.path.includes(':id') ? arrangeDetails(session, endpoint) : arrangeList(session, endpoint);
  }
}

/** A deployment may cap the number of records: those that the clauses on their own kind look at come first. */
async function letOthersFirst(session: Session, kind: Kind): Promise<void> {
  if (kind === 'agents' && session.clauses.has('workspace.agents.delete')) {
    await settle(agentDeleted(session));
  }
  if (kind === 'webhooks' && looksAtDeliveries(session)) {
    await settle(listeners(session));
  }
}

/** Each create has words of its own. What is made, wrongly or on purpose, is deleted at once: a deployment may cap its number. */
async function arrangeCreate(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const kind = kindOf(endpoint);
  await letOthersFirst(session, kind);
  const webhook = kind === 'webhooks' ? await firstWebhook(session) : null;
  const attempt = webhook?.attempt ?? (await mainRecord(session, kind as Exclude<typeof kind, 'webhooks'>));
  const createAndDelete = async ({ reshape = (whole) => whole, key, ...details }: Difference): Promise<Answer> => {
    const { tag, body } = webhook === null ? reworded(session, attempt) : copyOf(session, webhook);
    const { collection } = attempt;
    const copy = await createRecord(session, collection, {
      ...details,
      tag,
      body: reshape(body),
      ...(key === undefined ? {} : { key }),
    });
    if (copy.id !== undefined && canDelete(collection)) {
      await deleteRecord(session, { ...copy, id: copy.id });
    }
    return copy.answer;
  };
  return {
    endpoint,
    twin: async () => attempt.answer,
    send: (difference) => createAndDelete({ purpose: 'refusal', ...difference }),
    again: () => createAndDelete({}),
  };
}

async function arrangeChange(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const { record, body, answer } = await changed(session, kindOf(endpoint) as Readable);
  const patch = ({ reshape = (whole) => whole, key = mainKey(session), ...details }: Difference): Promise<Answer> =>
    send(session, endpoint.id, { ...details, key, id: record.id, body: reshape(body) });
  return {
    endpoint,
    twin: async () => answer,
    send: (difference) => patch({ purpose: 'refusal', ...difference }),
    again: () => patch({}),
  };
}

async function arrangeDelete(session: Session, endpoint: Endpoint, label: string): Promise<Repeatable> {
  const record = assertCreated(await recordToDelete(session, endpoint, label));
  return {
    endpoint,
    twin: () => deleteRecord(session, record),
    send: ({ reshape: _, key = mainKey(session), ...difference }) =>
      deleteRecord(session, record, { purpose: 'refusal', deletes: false, ...difference, key }),
    again: async () => null,
  };
}

async function recordToDelete(session: Session, endpoint: Endpoint, label: string): Promise<Attempt> {
  const kind = kindOf(endpoint);
  await letOthersFirst(session, kind);
  return kind === 'webhooks'
    ? (await registration(session, `webhook for ${label}`)).attempt
    : recordFor(session, kind as 'agents' | 'bookings', label);
}

async function arrangeDetails(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const { id, answer } = await details(session, kindOf(endpoint) as Readable);
  const view = ({ reshape: _, key = mainKey(session), ...rest }: Difference): Promise<Answer> =>
    send(session, endpoint.id, { ...rest, key, id });
  return {
    endpoint,
    twin: async () => answer,
    send: (difference) => view({ purpose: 'refusal', ...difference }),
    again: () => view({}),
  };
}

async function arrangeList(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const list = ({ reshape: _, key = mainKey(session), ...rest }: Difference): Promise<Answer> =>
    send(session, endpoint.id, { ...rest, key });
  return {
    endpoint,
    twin: () => read(session, endpoint.id),
    send: (difference) => list({ purpose: 'refusal', ...difference }),
    again: () => list({}),
  };
}

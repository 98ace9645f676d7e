import type { Endpoint } from '../../../../contract/endpoint.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import { settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Arranged, Difference } from '../../../session/api.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { canDelete } from '../../../shared/collections.ts';
import { read } from '../../../shared/reads.ts';
import { createRecord, deleteRecord } from '../../../shared/records.ts';
import { type Condition, conditionsFor, lacksCondition } from '../changes/conditions.ts';
import { agentDeleted } from '../deletions/deletions.ts';
import { takesOthers } from '../deletions/taken-others.ts';
import { acceptedDeletion, targetOf } from '../deletions/targets.ts';
import { listeners, looksAtDeliveries } from '../events/listeners.ts';
import { copyOf, firstWebhook, readableAgent } from '../events/registrations.ts';
import { type Deletable, kindOf, type Readable } from '../kinds.ts';
import type { Attempt, Created } from '../records/create.ts';
import { details } from '../records/details.ts';
import { mainChanged, mainRecord } from '../records/main-record.ts';
import { firstRecord, reworded } from '../records/records.ts';
import { agentsDeletionIsJudged } from '../records/second-agent.ts';

/** What came of a call that differs from the documented one. */
export interface Tried {
  readonly answer: Answer;
  /** Words that stand in its body and nowhere else: where they show, it took effect. null: it has none. */
  readonly words: string | null;
  /** The record that the call names; null: none. */
  readonly record: Created | null;
}

/** A documented call that can also be made once more as it is documented. */
interface Repeatable extends Omit<Arranged, 'send'> {
  attempt(difference: Difference): Promise<Tried>;
  /** The answer to the call as it is documented, now and in other words; what it makes is deleted at once. null: it deletes. */
  again(): Promise<Answer | null>;
}

/**
 * Arranges a documented call, as the checks that both APIs share want it. A call that differs in its key alone is made once
 * a run, whichever clauses ask for it.
 */
export async function arrange(session: Session, endpoint: Endpoint): Promise<Arranged> {
  const call = await arrangeCall(session, endpoint);
  const isKeyAlone = (difference: Difference): boolean => Object.keys(difference).join() === 'key';
  return {
    endpoint,
    twin: call.twin,
    send: async (difference) =>
      (isKeyAlone(difference)
        ? await sentWith(session, endpoint, difference.key ?? null)
        : await call.attempt(difference)
      ).answer,
  };
}

/** A documented call with another key, or none, made once a run. Throws as `arrangeCall` does. */
export const sentWith = stepFor(
  ({ id }: Endpoint, key: ApiKey | null) => `${id} ${key?.label ?? 'without a key'}`,
  async (session, endpoint, key) => {
    const call = await arrangeCall(session, endpoint);
    if (key === null || key.origin === 'unknown') {
      await session.badKeys;
    }
    return call.attempt({ key });
  },
);

/**
 * Arranges a documented call. Throws Inconclusive where there is no record to call it on, Skipped where the settings forbid
 * making one.
 */
export function arrangeCall(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  switch (endpoint.method) {
    case 'POST':
      return arrangeCreate(session, endpoint);
    case 'PATCH':
      return arrangeChange(session, endpoint);
    case 'DELETE':
      return arrangeDelete(session, endpoint);
    case 'GET':
      return arrangeRead(session, endpoint);
  }
}

/** A deployment may cap the number of records: those that the clauses on their own kind look at come first. */
async function letOthersFirst(session: Session, kind: Kind): Promise<void> {
  if (kind === 'agents' && agentsDeletionIsJudged(session)) {
    await settle(agentDeleted(session));
  }
  if (kind === 'webhooks' && looksAtDeliveries(session)) {
    await settle(listeners(session));
  }
}

/** A record of another kind whose id a read has confirmed; null: a call reads records of this kind. */
async function exemplarFor(session: Session, kind: Kind): Promise<Attempt | null> {
  if (kind === 'webhooks') {
    return readableAgent(session);
  }
  return kind === 'bookings' ? firstRecord(session, 'agents') : null;
}

/** Each create has words of its own. What is made, wrongly or on purpose, is deleted at once: a deployment may cap its number. */
async function arrangeCreate(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const kind = kindOf(endpoint);
  await letOthersFirst(session, kind);
  const webhook = kind === 'webhooks' ? await firstWebhook(session) : null;
  // A deployment whose deletion takes others too is spared further ones: the clean-up makes them.
  const isSpared = kind === 'agents' && (await takesOthers(session, kind));
  const original = webhook?.attempt ?? (await mainRecord(session, kind as Exclude<typeof kind, 'webhooks'>));
  const createAndDelete = async ({ reshape = (whole) => whole, key, ...details }: Difference): Promise<Tried> => {
    const { tag, body } = webhook === null ? await original.another() : copyOf(session, webhook);
    const { collection } = original;
    const copy = await createRecord(session, collection, {
      ...details,
      tag,
      body: reshape(body),
      exemplar: () => exemplarFor(session, kind),
      ...(key === undefined ? {} : { key }),
    });
    if (copy.id !== undefined && canDelete(collection) && !isSpared) {
      await deleteRecord(session, { ...copy, id: copy.id });
    }
    return { answer: copy.answer, words: tag, record: null };
  };
  return {
    endpoint,
    twin: async () => original.answer,
    attempt: (difference) => createAndDelete({ purpose: 'refusal', ...difference }),
    again: async () => (await createAndDelete({})).answer,
  };
}

/** The change that was accepted; with another key in other words, so that it shows whether it took effect. */
async function arrangeChange(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const kind = kindOf(endpoint) as Readable;
  const accepted = await mainChanged(session, kind);
  const { record, answer, headers: condition } = accepted;
  const isConditional = Object.keys(condition).length > 0;
  const patch = async (body: unknown, difference: Difference): Promise<Answer> => {
    const { reshape = (whole) => whole, key = mainKey(session), ...details } = difference;
    const under = (current: Condition): Promise<Answer> => {
      const headers = { ...current, ...details.headers };
      return send(session, endpoint.id, { ...details, headers, key, id: record.id, body: reshape(body) });
    };
    const answer = await under(condition);
    // An earlier one of these may have changed the record.
    const [fresh] = isConditional && lacksCondition(answer) ? await conditionsFor(session, kind, record.id) : [];
    return fresh === undefined ? answer : under(fresh);
  };
  return {
    endpoint,
    twin: async () => answer,
    attempt: async (difference) => {
      const other = reworded(session, { body: accepted.body, tag: record.tag });
      const { tag, body } = difference.key === undefined ? { tag: null, body: accepted.body } : other;
      return { answer: await patch(body, { purpose: 'refusal', ...difference }), words: tag, record };
    },
    again: () => patch(accepted.body, {}),
  };
}

async function arrangeDelete(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const kind = kindOf(endpoint) as Deletable;
  const target = await targetOf(session, kind);
  return {
    endpoint,
    twin: () => acceptedDeletion(session, kind),
    attempt: async (difference) => ({ ...(await target.remove(difference)), words: null }),
    again: async () => null,
  };
}

async function arrangeRead(session: Session, endpoint: Endpoint): Promise<Repeatable> {
  const shown = endpoint.path.includes(':id') ? await details(session, kindOf(endpoint) as Readable) : null;
  const view = ({ reshape: _, key = mainKey(session), ...rest }: Difference): Promise<Answer> =>
    send(session, endpoint.id, { ...rest, key, ...(shown === null ? {} : { id: shown.id }) });
  return {
    endpoint,
    twin: async () => shown?.answer ?? read(session, endpoint.id),
    attempt: async (difference) => {
      const answer = await view({ purpose: 'refusal', ...difference });
      return { answer, words: null, record: null };
    },
    again: () => view({}),
  };
}

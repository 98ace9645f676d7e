import type { Endpoint } from '../../contract/endpoint.ts';
import { settle } from '../engine/parts.ts';
import { canDelete } from '../records/collections.ts';
import { type Created, createRecord, deleteRecord } from '../records/own.ts';
import { read } from '../records/reads.ts';
import type { Answer } from '../session/answer.ts';
import type { ArrangedCall, Difference } from '../session/api.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { storyOf } from './events/story.ts';
import { bodyForAnotherUrl, firstWebhook, listeners, needsDeliveries } from './events/subscribe.ts';
import { type Deletable, kindOf, type Readable } from './kinds.ts';
import { detailView } from './life/details.ts';
import { deletesOthersToo } from './life/judge-deletions.ts';
import { recordStory } from './life/story.ts';
import { type CreatedKind, firstRecord, reworded } from './records/run-records.ts';
import { tryToDelete } from './standing.ts';

// The documented calls, each with everything in place for it, so that it can be sent again and in other ways.

/** A call that differs from the documented one, and its answer. */
export interface TriedCall {
  readonly answer: Answer;
  /** Words that are in its body and nowhere else: where they show, it took effect. null: it has none. */
  readonly words: string | null;
  /** The record that it names; null: none. */
  readonly record: Created | null;
}

interface RepeatableCall {
  /** The answer to the call as documented. */
  twin(): Promise<Answer>;
  /** Sends the call with a difference, in new words; what it creates is deleted. */
  attempt(difference: Difference): Promise<TriedCall>;
}

/** Arranges a documented call. One that differs in its key alone is sent once a run, whichever clauses ask for it. */
export async function arrange(session: Session, endpoint: Endpoint): Promise<ArrangedCall> {
  const call = await arrangeCall(session, endpoint);
  const differsInKeyAlone = (difference: Difference): boolean => Object.keys(difference).join() === 'key';
  return {
    endpoint,
    twin: call.twin,
    send: async (difference) => {
      const tried = differsInKeyAlone(difference)
        ? await callWithKey(session, endpoint, difference.key ?? null)
        : await call.attempt(difference);
      return tried.answer;
    },
  };
}

/** Makes a documented call with another key, or none, once a run. Throws as `arrangeCall` does. */
export const callWithKey = stepFor(
  ({ id }: Endpoint, key: ApiKey | null) => `${id} ${key?.label ?? 'without a key'}`,
  async (session, endpoint, key) => {
    const call = await arrangeCall(session, endpoint);
    if (key === null || key.origin === 'unknown') {
      await session.until('badKeys');
    }
    return call.attempt({ key });
  },
);

/** Arranges a documented call. Throws Inconclusive where it needs a record that cannot be made, or Skipped. */
export function arrangeCall(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
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

/** What a create makes is deleted at once: a deployment may cap the number of records. The story's come first. */
async function arrangeCreate(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf(endpoint);
  if (kind === 'agents' || kind === 'bookings') {
    await settle(recordStory(session, kind));
  }
  if (kind === 'webhooks' && needsDeliveries(session)) {
    await settle(listeners(session));
  }
  const webhook = kind === 'webhooks' ? await firstWebhook(session) : null;
  const original = webhook?.attempt ?? (await firstRecord(session, kind as CreatedKind));
  const { collection } = original;
  // Where a deletion deletes other records too, deleting is left to the clean-up.
  const mayDelete = canDelete(collection) && !(kind === 'agents' && (await deletesOthersToo(session, kind)));
  return {
    twin: async () => original.answer,
    attempt: async ({ reshape = (body) => body, key, ...details }) => {
      const { tag, body } = webhook === null ? await original.another() : bodyForAnotherUrl(session, webhook);
      const made = await createRecord(session, collection, {
        purpose: 'refusal',
        ...details,
        tag,
        body: reshape(body),
        ...(key === undefined ? {} : { key }),
      });
      if (made.id !== undefined && mayDelete) {
        await settle(deleteRecord(session, { ...made, id: made.id }));
      }
      return { answer: made.answer, words: tag, record: null };
    },
  };
}

/** The accepted change; with another key in new words, which show whether it took effect. */
async function arrangeChange(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf(endpoint) as Readable;
  const { record, answer, body: accepted, headers: condition } = (await recordStory(session, kind)).change();
  return {
    twin: async () => answer,
    attempt: async ({ reshape = (body) => body, ...difference }) => {
      const withNewWords = reworded(session, { body: accepted, tag: record.tag });
      const { tag, body } = difference.key === undefined ? { tag: null, body: accepted } : withNewWords;
      const { key = mainKey(session), ...details } = difference;
      const headers = { ...condition, ...details.headers };
      const sent = { purpose: 'refusal', ...details, headers, key, id: record.id, body: reshape(body) } as const;
      return { answer: await send(session, endpoint.id, sent), words: tag, record };
    },
  };
}

const arrangeDelete = async (session: Session, endpoint: Endpoint): Promise<RepeatableCall> => {
  const kind = kindOf(endpoint) as Deletable;
  return {
    twin: async () => (await storyOf(session, kind)).deletion().answer,
    attempt: async (difference) => ({ ...(await tryToDelete(session, kind, difference)), words: null }),
  };
};

async function arrangeRead(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const shown = endpoint.path.includes(':id') ? await detailView(session, kindOf(endpoint) as Readable) : null;
  return {
    twin: async () => shown?.answer ?? read(session, endpoint.id),
    attempt: async ({ reshape: _, key = mainKey(session), ...details }) => {
      const sent = { purpose: 'refusal', ...details, key, ...(shown === null ? {} : { id: shown.id }) } as const;
      return { answer: await send(session, endpoint.id, sent), words: null, record: null };
    },
  };
}

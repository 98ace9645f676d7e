import type { Endpoint } from '../../../../contract/endpoint.ts';
import { settle } from '../../../engine/parts.ts';
import { canDelete } from '../../../records/collections.ts';
import { createRecord, deleteRecord } from '../../../records/own.ts';
import { read } from '../../../records/reads.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ArrangedCall, Difference } from '../../../session/api.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { bodyForAnotherUrl, firstWebhook, listeners, needsDeliveries } from '../../events/subscribe.ts';
import type { Kind } from '../../kinds.ts';
import { type Deletable, kindOf, type Readable } from '../../kinds.ts';
import { lacksPrecondition, type Precondition, preconditionsFor } from '../../life/changes.ts';
import { deletesOthersToo } from '../../life/collateral.ts';
import { detailView } from '../../life/details.ts';
import { fullDeletionAnswer, standingRecord } from '../../life/standing.ts';
import { mainChange, mainRecord, recordStory } from '../../life/story.ts';
import type { Created } from '../../records/creating.ts';
import { reworded } from '../../records/run-records.ts';

/** A call that differs from the documented one, and its answer. */
export interface TriedCall {
  readonly answer: Answer;
  /** Words that are in its body and nowhere else: where they show, it took effect. null: it has none. */
  readonly words: string | null;
  /** The record that it names; null: none. */
  readonly record: Created | null;
}

/** A documented call, arranged to be made in other ways and again. */
interface RepeatableCall extends Omit<ArrangedCall, 'send'> {
  attempt(difference: Difference): Promise<TriedCall>;
  /** Makes the documented call again, in new words, and deletes what it creates; null: it is a deletion. */
  again(): Promise<Answer | null>;
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

/** Waits for the records that the clauses on a kind need: a deployment may cap their number, so they come first. */
async function awaitNeededRecords(session: Session, kind: Kind): Promise<void> {
  if (kind === 'agents') {
    await settle(recordStory(session, kind));
  }
  if (kind === 'webhooks' && needsDeliveries(session)) {
    await settle(listeners(session));
  }
}

/** Each create has new words. What it makes is deleted at once: a deployment may cap the number of records. */
async function arrangeCreate(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf(endpoint);
  await awaitNeededRecords(session, kind);
  const webhook = kind === 'webhooks' ? await firstWebhook(session) : null;
  // Where a deletion deletes other records too, deleting is left to the clean-up.
  const isDeletionHarmful = kind === 'agents' && (await deletesOthersToo(session, kind));
  const original = webhook?.attempt ?? (await mainRecord(session, kind as Exclude<typeof kind, 'webhooks'>));
  const createAndDelete = async ({ reshape = (body) => body, key, ...details }: Difference): Promise<TriedCall> => {
    const { tag, body } = webhook === null ? await original.another() : bodyForAnotherUrl(session, webhook);
    const { collection } = original;
    const copy = await createRecord(session, collection, {
      ...details,
      tag,
      body: reshape(body),
      ...(key === undefined ? {} : { key }),
    });
    if (copy.id !== undefined && canDelete(collection) && !isDeletionHarmful) {
      await settle(deleteRecord(session, { ...copy, id: copy.id }));
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

/** The accepted change; with another key in new words, which show whether it took effect. */
async function arrangeChange(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf(endpoint) as Readable;
  const accepted = await mainChange(session, kind);
  const { record, answer, headers: precondition } = accepted;
  const needsPrecondition = Object.keys(precondition).length > 0;
  const patch = async (body: unknown, difference: Difference): Promise<Answer> => {
    const { reshape = (whole) => whole, key = mainKey(session), ...details } = difference;
    const patchUnder = (condition: Precondition): Promise<Answer> => {
      const headers = { ...condition, ...details.headers };
      return send(session, endpoint.id, { ...details, headers, key, id: record.id, body: reshape(body) });
    };
    const first = await patchUnder(precondition);
    if (!needsPrecondition || !lacksPrecondition(first)) {
      return first;
    }
    // An earlier call may have changed the record, so that the precondition no longer holds.
    const [current] = await preconditionsFor(session, kind, record.id);
    return current === undefined ? first : patchUnder(current);
  };
  return {
    endpoint,
    twin: async () => answer,
    attempt: async (difference) => {
      const withNewWords = reworded(session, { body: accepted.body, tag: record.tag });
      const { tag, body } = difference.key === undefined ? { tag: null, body: accepted.body } : withNewWords;
      return { answer: await patch(body, { purpose: 'refusal', ...difference }), words: tag, record };
    },
    again: () => patch(accepted.body, {}),
  };
}

async function arrangeDelete(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf(endpoint) as Deletable;
  const target = await standingRecord(session, kind);
  return {
    endpoint,
    twin: () => fullDeletionAnswer(session, kind),
    attempt: async (difference) => ({ ...(await target.tryToDelete(difference)), words: null }),
    again: async () => null,
  };
}

async function arrangeRead(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const shown = endpoint.path.includes(':id') ? await detailView(session, kindOf(endpoint) as Readable) : null;
  const readWith = ({ reshape: _, key = mainKey(session), ...details }: Difference): Promise<Answer> =>
    send(session, endpoint.id, { ...details, key, ...(shown === null ? {} : { id: shown.id }) });
  return {
    endpoint,
    twin: async () => shown?.answer ?? read(session, endpoint.id),
    attempt: async (difference) => {
      const answer = await readWith({ purpose: 'refusal', ...difference });
      return { answer, words: null, record: null };
    },
    again: () => readWith({}),
  };
}

import { createSemaphore } from '../../common/semaphore.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive } from '../../results/outcome.ts';
import { settle, stageOrNull } from '../engine/check.ts';
import { undecided } from '../engine/expect.ts';
import { createRecord } from '../records/own.ts';
import { read } from '../records/reads.ts';
import type { ArrangedCall, Difference } from '../session/api.ts';
import { type Answer, type ApiKey, isOfOtherWorkspace, isSuccess } from '../session/call.ts';
import { mainKey, type Session, send, step } from '../session/session.ts';
import { arrivals, storyOf } from './events/webhook-story.ts';
import { assertCreated, type Created, deleting, type Kind, kindOf, reading } from './records/creating.ts';
import { anotherOf, firstOf, needsDeliveries, reworded } from './records/run-records.ts';
import { detailView, recordStory } from './stories/record-story.ts';

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
  /** Sends the call with a difference, in new words. */
  attempt(difference: Difference): Promise<TriedCall>;
}

/**
 * Arranges a documented call. One that is sent with a difference in its key alone is sent once a run. Throws
 * Inconclusive where it needs a record that cannot be made, or Skipped.
 */
export async function arrangeCall(session: Session, endpoint: Endpoint): Promise<ArrangedCall & RepeatableCall> {
  const call = await arrangements[endpoint.method](session, endpoint);
  const send = async (difference: Difference): Promise<Answer> => {
    const isOfKeyAlone = Object.keys(difference).join() === 'key';
    const tried = isOfKeyAlone ? callWithKey(session, endpoint, difference.key ?? null) : call.attempt(difference);
    return (await tried).answer;
  };
  return { ...call, endpoint, send };
}

/** Makes a documented call with another key, or none, once a run. Throws as `arrangeCall` does. */
export const callWithKey = step(async (session, endpoint: Endpoint, key: ApiKey | null) => {
  const call = await arrangeCall(session, endpoint);
  if (key === null || key.origin === 'unknown') {
    await session.until('badKeys');
  }
  return call.attempt({ key });
});

const arrangements = { GET: arrangeRead, POST: arrangeCreate, PATCH: arrangeChange, DELETE: arrangeDelete } as const;

/** A create like the first one of its kind. What it makes is left to the clean-up. */
async function arrangeCreate(session: Session, endpoint: Endpoint): Promise<RepeatableCall> {
  const { answer: twin, collection, another } = await firstOf(session, kindOf(endpoint));
  return {
    twin: async () => twin,
    attempt: async ({ reshape = (body) => body, ...difference }) => {
      const { tag, body } = await another();
      const creation = { purpose: 'refusal', ...difference, tag, body: reshape(body) } as const;
      const { answer } = await createRecord(session, collection, creation);
      return { answer, words: tag, record: null };
    },
  };
}

/** The accepted change; with another key in new words, which show whether it took effect. */
async function arrangeChange(session: Session, { id: call, path }: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf({ path });
  const { record, answer, body: accepted } = (await recordStory(session, kind)).change();
  return {
    twin: async () => answer,
    attempt: async ({ reshape = (body) => body, ...difference }) => {
      const withNewWords = reworded(session, { body: accepted, tag: record.tag });
      const { tag, body } = difference.key === undefined ? { tag: null, body: accepted } : withNewWords;
      const { key = mainKey(session), ...details } = difference;
      const sent = { purpose: 'refusal', ...details, key, id: record.id, body: reshape(body) } as const;
      const answer = await send(session, call, sent);
      const mayBeGone = answer.status === 404 && !isOfOtherWorkspace(key);
      const view = mayBeGone ? await send(session, reading(kind), { id: record.id }) : null;
      if (view?.status === 404) {
        throw undecided(view, `Cannot judge ${call}: ${record.id} is gone since it was changed: somebody deleted it`);
      }
      return { answer, words: tag, record };
    },
  };
}

async function arrangeRead(session: Session, { id: call, path }: Endpoint): Promise<RepeatableCall> {
  const shown = path.includes(':id') ? await detailView(session, kindOf({ path })) : null;
  return {
    twin: async () => shown?.answer ?? read(session, call),
    attempt: async ({ reshape: _, key = mainKey(session), ...details }) => {
      const sent = { purpose: 'refusal', ...details, key, ...(shown === null ? {} : { id: shown.id }) } as const;
      return { answer: await send(session, call, sent), words: null, record: null };
    },
  };
}

/** Deletions that should be refused are tried on one record of the kind, one after the other. */
async function arrangeDelete(session: Session, { id: call, path }: Endpoint): Promise<RepeatableCall> {
  const kind = kindOf({ path });
  const withRecord = await standing(session, kind);
  return {
    twin: async () => (await storyOf(session, kind)).deletion().answer,
    attempt: ({ reshape: _, key = mainKey(session), ...details }) =>
      withRecord(async (record, lose) => {
        const answer = await send(session, call, { purpose: 'refusal', ...details, key, id: record.id });
        if (isSuccess(answer)) {
          lose();
        }
        // The key of another workspace may not really have deleted it: then it stays in the ledger.
        if (isSuccess(answer) && key?.origin === 'given' && !isOfOtherWorkspace(key)) {
          session.ledger.note(record.entry, { gone: true });
        }
        return { answer, words: null, record };
      }),
  };
}

/**
 * Does something with the record of a kind on which deletions are tried, one after the other: once it is lost, it has a
 * successor. It comes once the story of the kind is told, since a deployment may cap the number of records.
 */
const standing = step(async (session, kind: Kind) => {
  const { first, newest, deletion } = await storyOf(session, kind);
  if ((stageOrNull(deletion)?.taken.own ?? []).length > 0) {
    const message = `No further deletion was tried: one of ${kind} removes others too`;
    throw new Inconclusive({ message, blames: endpointOf(deleting(kind)).clause });
  }
  if (kind === 'webhooks' && needsDeliveries(session)) {
    // Events need the first webhook.
    await settle(arrivals(session));
  }
  const inTurn = createSemaphore(1);
  // Other clauses need the first agent.
  let standing = kind === 'agents' ? newest : first;
  const lose = (): void => {
    standing = null;
  };
  return <T>(use: (record: Created, lose: () => void) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      standing ??= assertCreated(await anotherOf(session, kind));
      return use(standing, lose);
    });
});

/** That record. Throws Inconclusive where none can be made. */
export const standingRecord = async (session: Session, kind: Kind): Promise<Created> =>
  (await standing(session, kind))(async (record) => record);

/** A record of the run's that no clause deletes. Throws Inconclusive where there is none. */
export const undeletedRecord = async (session: Session, kind: Kind): Promise<Created> =>
  kind === 'bookings' || kind === 'webhooks'
    ? standingRecord(session, kind)
    : assertCreated(await firstOf(session, kind));

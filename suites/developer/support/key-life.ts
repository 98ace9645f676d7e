import { scopes } from '../../../contract/scopes.ts';
import type { Answer } from '../../session/answer.ts';
import { type CallDetails, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { workingRead } from '../../shared/reads.ts';
import { deleteRecord } from '../../shared/records.ts';
import { lookFor, type Sighting } from '../../shared/sighting.ts';
import { createdKey, makeKey, ownEnvironment } from './make-key.ts';
import { idsBesideWords, keysPath, type OwnKey, ownKeyOf } from './own-key.ts';

/** The life of one throw-away key with all twelve scopes, from creation to after its deletion. */
export interface KeyLife {
  readonly own: OwnKey;
  /** A documented read with the key, while it lived. */
  readonly used: Answer;
  readonly listed: Sighting;
  /** By the `days` that was asked for; `none` for a call without. */
  readonly usage: Readonly<Record<string, Answer>>;
  readonly deleted: Answer;
  readonly listedAfter: Sighting;
  /** The same read as `used`, after the deletion. */
  readonly usedAfter: Answer;
}

/** A documented read with any key, sent now. */
export const tryKey = async (session: Session, key: ApiKey, details: CallDetails = {}): Promise<Answer> =>
  session.client.send(callOf(await workingRead(session), key, details));

/** Values of `days` for the usage call: documented ones, and some that the document leaves open. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;

/** Lives the life of the key. Throws Inconclusive where creation yields no key. */
export const keyLife = step(async (session): Promise<KeyLife> => {
  const own = ownKeyOf(session, await createdKey(session), { purpose: 'first', environment: ownEnvironment(session) });
  const look = (): Promise<Sighting> => lookFor(session, keysPath, own.record);
  const used = await tryKey(session, own.key);
  const [listed, usage] = await Promise.all([look(), usageOf(session, own.id)]);
  const deleted = await deleteRecord(session, own.record);
  const deletedKey = { ...own.key, origin: 'unknown' as const, since: session.clock.now() };
  const [listedAfter, usedAfter] = await Promise.all([
    look(),
    tryKey(session, deletedKey, { purpose: 'refusal', unsettled: (status) => status !== 401 }),
  ]);
  return { own, used, listed, usage, deleted, listedAfter, usedAfter };
});

async function usageOf(session: Session, id: string): Promise<Record<string, Answer>> {
  const usage = (days: string, details: CallDetails): Promise<[string, Answer]> =>
    send(session, `GET ${keysPath}/:id/usage`, {
      id,
      ...(days === 'none' ? {} : { query: { days } }),
      ...details,
    }).then((answer) => [days, answer]);
  return Object.fromEntries(
    await Promise.all([
      ...usageDays.documented.map((days) => usage(days, {})),
      ...usageDays.open.map((days) => usage(days, { purpose: 'off-document' })),
    ]),
  );
}

/** A key that was rotated: its record before, and what rotation answered. */
export interface Rotation {
  readonly before: OwnKey;
  readonly answer: Answer;
  /** The key with its new secret. Throws Inconclusive where the answer shows none. */
  after(): OwnKey;
}

/** The key whose rotation is judged: made, used, rotated. */
export const rotation = step(async (session): Promise<Rotation> => {
  const before = await makeKey(session, 'to be rotated', scopes);
  const answer = await send(session, `POST ${keysPath}/:id/rotate`, { id: before.id });
  const environment = ownEnvironment(session);
  const after = (): OwnKey => ownKeyOf(session, before.record, { purpose: 'rotated', environment }, answer);
  noteNewRecord(session, before, answer);
  return { before, answer, after };
});

/** Rotation may replace the record by one with another id, or show both: what is new is the run's to delete as well. */
function noteNewRecord(session: Session, { id, record }: OwnKey, answer: Answer): void {
  const shown = answer.accepted ? idsBesideWords(session, answer, record.tag) : { own: [], all: [] };
  if (shown.all.every((one) => one === id)) {
    return;
  }
  const { number: _, id: __, ...intent } = record.entry;
  const entry = session.ledger.intend(intent);
  const [other, ...others] = shown.own.filter((one) => one !== id);
  // Otherwise it is looked for by the name that both share, when the first is gone.
  if (other !== undefined && others.length === 0) {
    session.grounds.own(keysPath, other);
    session.ledger.identify(entry, other);
  }
}

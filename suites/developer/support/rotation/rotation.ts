import { endpointOf } from '../../../../contract/endpoints.ts';
import { type Environment, keyPrefix, scopesOf } from '../../../../contract/scopes.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, expectStatus, findingOn, undecided } from '../../../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { type CallDetails, callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import type { Created } from '../../../shared/records.ts';
import { tryWrite } from '../calls/working-write.ts';
import { trySeeding } from '../data/seeding.ts';
import { dropKey } from '../keys/drop-key.ts';
import { tryKey } from '../keys/first-key.ts';
import { makerFor } from '../keys/key-makers.ts';
import { makeKey } from '../keys/make-key.ts';
import { keysPath, type RunKey, runKeyOf } from '../keys/run-key.ts';
import { rotatedId } from './rotated-id.ts';
import { judgeRecords, type RecordList, recordLists } from './rotated-records.ts';

const lists = Object.keys(recordLists) as RecordList[];

/** Half of the modules: what a rotation adds shows then as well as what it loses. */
const held = [...scopesOf('ads'), ...scopesOf('investor'), ...scopesOf('inbox')];

/** Calls that the key's scopes open or not, whichever: before the rotation and after it they come to the same. The lists come first. */
const trials: readonly ((session: Session, key: ApiKey, details: CallDetails) => Promise<Answer>)[] = [
  ...[...lists, 'GET /api/v1/platform/me', 'GET /api/v1/content/posts', 'GET /api/v1/developer/export/leads'].map(
    (id) =>
      (session: Session, key: ApiKey, details: CallDetails): Promise<Answer> =>
        session.client.send(callOf(endpointOf(id), key, details)),
  ),
  // The other way of sending a key may look it up in another place.
  (session, key, details) =>
    session.client.send(callOf(endpointOf('GET /api/v1/inbox/skills'), key, { ...details, mode: 'query' })),
  (session, key, details) => tryWrite(session, key, 'a rotated key', details),
];

/** A key that was rotated: its record before, what it opened, and what rotation answered. */
interface Rotation {
  readonly before: RunKey;
  /** By trial; null where one could not be made. */
  readonly opened: readonly (Answer | null)[];
  readonly answer: Answer;
  /** Whether the id of the key with its new secret is known: rotation may give it another, and show none. */
  readonly isIdKnown: boolean;
  /** The key with its new secret. Throws Inconclusive where the answer shows none. */
  after(): RunKey;
}

/** The key of an environment whose rotation is judged: made, used, rotated. */
export const rotationIn = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<Rotation> => {
    const purpose = `${environment}, to be rotated`;
    const before = await makeKey(session, purpose, held, { environment });
    // What the lists show tells the environments apart.
    await trySeeding(session);
    const opened = await Promise.all(trials.map((trial) => resultOrNull(trial(session, before.key, {}))));
    const maker = makerFor(session, environment);
    const answer = await send(session, `POST ${keysPath}/:id/rotate`, { id: before.id, key: maker });
    const id = await rotatedId(session, before, answer, maker);
    const record = noteNewRecord(session, before, id);
    const role = { purpose: `${environment}, rotated`, environment };
    const after = (): RunKey => runKeyOf(session, record, role, answer, before.key);
    return { before, opened, answer, isIdKnown: id !== null, after };
  },
);

/** A documented read with the new secret. */
export const rotatedKeyRead = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<Answer> =>
    tryKey(session, (await rotationIn(session, environment)).after().key),
);

/** The trials once more, with the new secret: those that were accepted before, or refused for want of a scope. */
export const trialsAfterRotation = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<readonly (Answer | null)[]> => {
    const { opened, after } = await rotationIn(session, environment);
    const { key } = after();
    const since: (Answer | null)[] = [];
    for (const [index, trial] of trials.entries()) {
      const was = opened[index] ?? null;
      const isTold = was !== null && (was.accepted || was.status === 403);
      const isSettled = (status: number) =>
        was?.accepted === true ? status !== 401 && status !== 403 : status === 403;
      const unsettled = (status: number): boolean => !isSettled(status);
      since.push(isTold ? await resultOrNull(trial(session, key, { unsettled })) : null);
    }
    return since;
  },
);

/** Rotation may replace the record by one with another id, or add one: then that one is the run's to delete as well. */
function noteNewRecord(session: Session, before: RunKey, id: string | undefined | null): Created {
  if (id === undefined || id === before.id) {
    return before.record;
  }
  const { number: _, id: __, ...intent } = before.record.entry;
  const entry = session.ledger.intend(intent);
  if (id === null) {
    session.ledger.accept(entry);
    return before.record;
  }
  session.writeGuard.allow(keysPath, id);
  session.ledger.identify(entry, id);
  return { ...before.record, id, entry };
}

/** Deletes the rotated key, once nobody needs it any more: both records, where rotation made another. */
export const dropRotated = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<void> => {
    const { before, after } = await rotationIn(session, environment);
    const rotated = await resultOrNull((async () => after())());
    await settle(keptByRotation(session, environment), rotatedKeyRead(session, environment));
    for (const key of rotated !== null && rotated.id !== before.id ? [before, rotated] : [before]) {
      await dropKey(session, key);
    }
  },
);

/** A rotated key keeps the prefix of its environment, and opens what it opened before. Whoever deletes the key awaits this. */
export const keptByRotation = stepFor(
  (environment: Environment) => environment,
  (session, environment): Promise<Outcome> =>
    judgeInTurn([environment], (tally) => judgeKept(session, tally, environment)),
);

async function judgeKept(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { before, opened, answer, after } = await rotationIn(session, environment);
  if (!answer.accepted) {
    const message = `Key cannot be rotated: ${describeAnswer(answer)}`;
    throw undecided(answer, message, 'developer.keys.rotate');
  }
  const { key } = after();
  const prefix = keyPrefix[environment];
  if (before.key.secret.startsWith(prefix)) {
    const isKept = key.secret.startsWith(prefix);
    tally.judge(isKept ? null : otherPrefix(answer, prefix, key));
  } else {
    const message = `New ${environment} key does not begin with ${prefix}, so rotation cannot keep it`;
    tally.leaveOpen(findingOn(answer, { message, blames: `developer.auth.${environment}-prefix` }));
  }
  const since = await trialsAfterRotation(session, environment);
  for (const [index, trial] of trials.entries()) {
    const [was, is, list] = [opened[index] ?? null, since[index] ?? null, lists[index]];
    if (was !== null && is !== null) {
      judgeTrial(tally, was, is);
      await judgePart(tally, async () => {
        if (list !== undefined) {
          await judgeRecords(session, tally, environment, { list, was, is, again: () => trial(session, key, {}) });
        }
      });
    }
  }
}

const otherPrefix = (answer: Answer, prefix: string, { secret }: ApiKey): Finding =>
  findingOn(answer, {
    message: `Rotated key begins with another prefix than before`,
    expected: prefix,
    actual: secret.slice(0, Math.min(prefix.length, secret.length >> 2)),
  });

/** Where the call was accepted before, or refused for want of a scope, it has to be so again. */
function judgeTrial(tally: Tally, was: Answer, is: Answer): void {
  if (is.status === 401) {
    const message = `Scopes of the rotated key cannot be seen: ${describeAnswer(is)}`;
    tally.leaveOpen(findingOn(is, { message, blames: 'developer.keys.rotate' }));
  } else if (was.accepted) {
    tally.judge(is.status === 403 ? expectStatus(is, was.status, 'Rotated key has lost a scope') : null);
  } else {
    tally.judge(is.accepted ? expectStatus(is, 403, 'Rotated key has a scope that it had not before') : null);
  }
}

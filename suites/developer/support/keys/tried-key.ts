import type { Endpoint } from '../../../../contract/endpoint.ts';
import { keyPrefix } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, expectStatus, findingOn } from '../../../engine/expect.ts';
import { judgePart, resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { type CallDetails, callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { isPlainRead, read, workingRead } from '../../../shared/reads.ts';
import { neverIssuedKeys } from '../../../shared/refusals/never-issued.ts';
import { type BadCall, judgeRefusals } from '../../../shared/refusals/refusals.ts';
import { tryWrite } from '../calls/working-write.ts';
import { keysPath } from './own-key.ts';

/** A way of calling with a key. */
interface Way {
  readonly name: string;
  /** A call with a key, another one in each round, which count from 0. */
  readonly send: (session: Session, key: ApiKey, details: CallDetails, round: number) => Promise<Answer>;
}

/** A read of each module: each may be a service that looks keys up for itself. */
const moduleReads = step(async (session): Promise<readonly Endpoint[]> => {
  const plain = session.api.endpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.scope !== null);
  const firsts = [...Map.groupBy(plain, ({ scope }) => scope).values()].map(([first]) => first as Endpoint);
  const answers = await Promise.all(firsts.map(({ id }) => resultOrNull(read(session, id))));
  const working = firsts.filter((_, index) => answers[index]?.accepted === true);
  return working.length > 0 ? working : [await workingRead(session)];
});

const readIn = async (session: Session, key: ApiKey, details: CallDetails, place: number): Promise<Answer> => {
  const endpoints = await moduleReads(session);
  return session.client.send(callOf(endpoints[place % endpoints.length] as Endpoint, key, details));
};

/** Replicas that take turns may each remember a key for itself: each way is tried so often, before a deletion and after it. */
const rounds = 3;

/** What some of the ways are called. */
export const [inQuery, onKeyList] = ['in the query', 'on the key list'] as const;

/** In both modes, on a read, a write and key management: each may look keys up in another place. */
const ways: readonly Way[] = [
  { name: 'on a read', send: readIn },
  {
    name: inQuery,
    send: (session, key, details, round) => readIn(session, key, { ...details, mode: 'query' }, round + rounds),
  },
  { name: 'on a write', send: (session, key, details) => tryWrite(session, key, 'a deleted key', details) },
  { name: onKeyList, send: (session, key, details) => send(session, `GET ${keysPath}`, { ...details, key }) },
];

/** A way, and what it came to while the key lived; null: a call that could not be made. */
type Alive = Way & {
  readonly answers: readonly (Answer | null)[];
  /** What the first call that was refused with 401 got in the usual mode. */
  readonly beside: Answer | null;
  /** The key was still known after all ways: another one's deletion may have taken it meanwhile. */
  readonly isKnown: boolean;
};

/** Each way with a key while it lives, several times. */
export const triedAlive = stepFor(
  (key: ApiKey) => key.secret,
  async (session, key): Promise<readonly Alive[]> => {
    const tried: Omit<Alive, 'isKnown'>[] = [];
    for (const way of ways) {
      const answers: (Answer | null)[] = [];
      for (let round = 0; round < rounds; round += 1) {
        answers.push(await resultOrNull(way.send(session, key, {}, round)));
      }
      const refused = answers.findIndex((answer) => answer?.status === 401);
      const again = way.name === inQuery && refused !== -1;
      const beside = again ? await resultOrNull(readIn(session, key, {}, refused + rounds)) : null;
      tried.push({ ...way, answers, beside });
    }
    const isRefused = tried.some(({ answers }) => answers.some((answer) => answer?.status === 401));
    const isKnown = !isRefused || (await resultOrNull(readIn(session, key, {}, 0)))?.accepted === true;
    return tried.map((way) => ({ ...way, isKnown }));
  },
);

/** Whether the key was accepted that way each time. */
export const isAlive = ({ answers }: Pick<Alive, 'answers'>): boolean =>
  answers.every((answer) => answer?.accepted === true);

/** A way, and what it came to after the deletion. */
type Tried = Way & { readonly answers: readonly Answer[] };

/** Tries a deleted key in all ways in which it was accepted, several times over the settle time, from the end of that on. */
async function tryDeleted(session: Session, tally: Tally, key: ApiKey): Promise<Tried[]> {
  const { clock, settings, badKeys } = session;
  const settled = clock.now() + settings.KEY_SETTLE_MS;
  const alive = (await triedAlive(session, key)).filter(isAlive);
  const tried = alive.map((way) => ({ ...way, answers: [] as Answer[] }));
  const tryIn = (way: (typeof tried)[number], round: number): Promise<void> =>
    judgePart(tally, async () => {
      way.answers.push(await way.send(session, { ...key, origin: 'unknown' }, { purpose: 'refusal' }, round));
    });
  // As many calls as replicas as soon as they have to be refused: by the time when bad keys may be sent, a cache of a minute is empty.
  await clock.sleep(settled - clock.now());
  for (const way of tried.slice(0, rounds)) {
    await tryIn(way, 0);
  }
  await badKeys;
  for (let round = 0; round < rounds; round += 1) {
    await clock.sleep(round === 0 ? 0 : settings.KEY_SETTLE_MS / rounds);
    for (const way of round === 0 ? tried.slice(rounds) : tried) {
      await tryIn(way, round);
    }
  }
  return tried;
}

/** Every documented call is made once with the deleted key, half of the writes in the query: a route may look keys up for itself. */
export async function judgeDeletedEverywhere(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  // Of keys it names itself alone: whatever a call does, it is done.
  const sendWith =
    (one: ApiKey): BadCall['send'] =>
    (call) =>
      call.endpoint.path.includes(':id')
        ? session.client.send(callOf(call.endpoint, one, { id: key.id ?? '', purpose: 'refusal' }))
        : call.send({ key: one, ...(writes.indexOf(call.endpoint) % 2 === 1 ? { mode: 'query' } : {}) });
  const writes = session.api.endpoints.filter(({ method }) => method === 'POST');
  // What a key gets that never was is not the deletion's matter.
  const coveredBy = sendWith(unknownKeyLike(session, key));
  const badCalls = [{ name: 'with a deleted key', send: sendWith({ ...key, origin: 'unknown' }), coveredBy }];
  tally.add((await judgeRefusals(session, { label: 'a deleted key', badCalls })).outcome);
}

/** A deleted key is refused with 401 whichever way it is sent: one call that is not fails. Gives how many calls were judged. */
export async function judgeDeleted(session: Session, tally: Tally, key: ApiKey): Promise<Record<string, number>> {
  const tried = await tryDeleted(session, tally, key);
  for (const way of tried.filter(({ answers }) => answers.length > 0)) {
    await judgeWay(session, tally, key, way);
  }
  return Object.fromEntries(tried.map(({ name, answers }) => [`${key.environment}, ${name}`, answers.length]));
}

async function judgeWay(
  session: Session,
  tally: Tally,
  key: ApiKey,
  { name, answers, send: again }: Tried,
): Promise<void> {
  const answered = answers.filter(({ status }) => status !== 0);
  const first = answered.find(({ status }) => status !== 401);
  if (first === undefined) {
    answered.length > 0 ? tally.judge(null) : tally.leaveOpen(unanswered(answers[0] as Answer, name));
    return;
  }
  // What a key gets that never was is not the deletion's matter.
  const unknown = await again(session, unknownKeyLike(session, key), { purpose: 'refusal' }, answers.indexOf(first));
  if (unknown.status === first.status) {
    const message = `Deleted key cannot be judged ${name}: a key that never existed gets ${describeAnswer(unknown)} too`;
    tally.leaveOpen(findingOn(unknown, { message, blames: 'developer.auth.invalid-key' }));
    return;
  }
  const accepted = answered.filter((answer) => answer.accepted).length;
  const { KEY_SETTLE_MS } = session.settings;
  const what =
    accepted > 0
      ? `Deleted ${key.environment} key still works ${KEY_SETTLE_MS} ms after its deletion, in ${accepted} of ${answered.length} calls ${name}`
      : `Deleted ${key.environment} key is not refused with 401 ${name}`;
  tally.judge(expectStatus(first, 401, what, accepted > 0 ? 'A cache of keys that outlives the deletion' : undefined));
}

const unanswered = (answer: Answer, name: string): Finding =>
  findingOn(answer, { message: `Deleted key cannot be judged ${name}: ${describeAnswer(answer)}` });

/** A key that was never issued and begins like the one given. */
export function unknownKeyLike(session: Session, { secret }: ApiKey): ApiKey {
  const unknown = neverIssuedKeys(session);
  const prefix = Object.values(keyPrefix).find((one) => secret.startsWith(one)) ?? '';
  return unknown.find((one) => one.secret.startsWith(prefix)) ?? unknown[0];
}

import { fewestBeside } from '../../../../limits/judge/crowd.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { type Call, callOf } from '../../../session/call.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey, limitOf } from '../../../session/keys.ts';
import { hasCallsLeft, isDisguised429 } from '../../../session/pace/limited.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { workingRead } from '../../../shared/reads.ts';
import { type Attempt, type Creation, createRecord } from '../../../shared/records.ts';
import { type FoundSecret, findSecrets, hasKeyPrefix } from './find-secrets.ts';
import { keysPath } from './run-key.ts';

/** The longest name that a key is given: the document does not show how long names may be. */
const longestName = 24;

/** What separates the words of a key's name: nothing, once a name with hyphens was refused. */
export const nameRule = step(async () => ({ separator: '-' }));

/** A name that no other key has: short, of lower-case letters, digits and, where they are accepted, hyphens. */
export async function keyName(session: Session, purpose: string): Promise<string> {
  const { separator } = await nameRule(session);
  return `${session.nextRecord().tag}-${purpose.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
    .slice(0, longestName)
    .replace(/-+$/, '')
    .replaceAll('-', separator);
}

/** Sends a key creation; the ledger has what it makes. Throws Skipped where WRITES forbids a live key. */
export const createKey = (session: Session, creation: Creation): Promise<Attempt> =>
  createRecord(session, keysPath, {
    ...creation,
    makesLive: asksForLive(creation.body),
    via: (call) => sendCreation(session, call),
    ownPlaces: (json) => newSecretsIn(session, json).map(({ pointer }) => pointer),
  });

/** Whether a key request, well-formed or not, may make a live key. */
const asksForLive = (body: unknown): boolean =>
  /"environment":\s*"\W*(live|prod)/i.test(typeof body === 'string' ? body : JSON.stringify(body ?? null));

/** Longer than the bursts that limiters count, and than the time between two calls that they space out, ms. */
export const burstMs = 1_100;

/** Sends a creation. A 429 that may mean a full account is given at once; any other is waited out, if possible. */
async function sendCreation(session: Session, call: Call): Promise<Answer> {
  const atOnce: Call = { ...call, takes429: true };
  const answer = await session.client.send(atOnce);
  if (answer.status !== 429) {
    return call.key !== null && isDisguised429(answer, limitOf(session, call.key)) ? session.client.send(call) : answer;
  }
  if (saysCallsLeft(session, call.key, answer)) {
    // An account that was full a moment later, too, is waited for by those who send ill-formed requests.
    await session.clock.sleep(burstMs);
    return isWellFormed(call) && !wasBesideOthers(session, answer) ? answer : session.client.send(atOnce);
  }
  // The minute may have moved on before the read: a creation that it refused is accepted now, too.
  if (await isReadAccepted(session, call.key)) {
    return session.client.send(atOnce);
  }
  const later = session.client.send(call);
  return isWellFormed(call) ? ((await resultOrNull(later)) ?? answer) : later;
}

const isWellFormed = ({ purpose = 'documented' }: Call): boolean => purpose === 'documented';

/** Whether a 429 says that the key has calls of its minute left, where no limiter spaces its calls out. */
const saysCallsLeft = (session: Session, key: ApiKey | null, answer: Answer): boolean =>
  key !== null && !isSpacedOut(session, key) && hasCallsLeft(answer, limitOf(session, key));

/** Whether accepted calls were under way beside a refused one: concurrent calls may be limited. */
const wasBesideOthers = ({ evidence }: Session, { exchange }: Answer): boolean =>
  fewestBeside(
    [exchange],
    evidence.exchanges.filter(({ keyValid, response }) => keyValid && (response?.status ?? 400) < 400),
  ) > 0;

/** Whether a read with the key is accepted, where no limiter spaces its calls out. */
async function isReadAccepted(session: Session, key: ApiKey | null): Promise<boolean> {
  if (key === null || isSpacedOut(session, key)) {
    return false;
  }
  const read = callOf(await workingRead(session), key, { takes429: true });
  return (await session.client.send(read)).accepted;
}

/** Whether calls of several endpoints got 429 with the key, as where a limiter spaces calls out. */
function isSpacedOut({ evidence }: Session, { label }: ApiKey): boolean {
  const refused = evidence.exchanges.filter(({ keyLabel, response }) => keyLabel === label && response?.status === 429);
  return new Set(refused.map(({ endpoint }) => endpoint)).size > 2;
}

/** The secrets in an answer that are in no other record: they have a documented prefix, and no given key has them. */
function newSecretsIn(session: Session, json: unknown): readonly FoundSecret[] {
  const given = session.api.keys.map(({ setting }) => givenKey(session, setting)?.secret);
  return findSecrets(json).filter(({ secret }) => hasKeyPrefix(secret) && !given.includes(secret));
}

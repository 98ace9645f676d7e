import { endpointOf } from '../../../contract/endpoints.ts';
import { type Environment, scopes } from '../../../contract/scopes.ts';
import type { Purpose } from '../../../results/exchange.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn, needAccepted } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Body } from '../../records/bodies.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { judgeRefusal } from '../../shared/refusals/refusals.ts';
import { without } from '../calls/twins.ts';
import {
  createKey,
  deleteIfMade,
  environmentsOf,
  firstKeyCreation,
  keyName,
  mainEnvironment,
  makerFor,
} from './creation.ts';
import { fullAccountAdvice, fullAccountStatuses, lendKey } from './lending.ts';
import { keysPath } from './run-key.ts';

// Key requests that must be refused: each differs in one thing from an accepted one.

/** One thing that is wrong with a key request. */
interface Flaw {
  /** `no name`: follows "A key request with" in findings. */
  readonly label: string;
  /** Gives the body with the flaw. */
  readonly applyTo: (body: Body) => Body;
}

const lacking = (field: string): Flaw => ({ label: `no ${field}`, applyTo: (body) => without(body, field) });

const withField = (label: string, field: string, value: unknown): Flaw => ({
  label,
  applyTo: (body) => ({ ...body, [field]: value }),
});

const withEnvironment = (value: unknown): Flaw =>
  withField(`the environment ${JSON.stringify(value)}`, 'environment', value);

/** The flaw is in the middle: a deployment may look at the first or the last scope alone. */
const withScope = (scope: unknown): Flaw =>
  withField(`the scope ${JSON.stringify(scope)}`, 'scopes', ['ads:read', scope, 'investor:read']);

/** A value of every JSON type but the right one, by the name of the type. Lists and objects contain a valid `text`. */
const valuesOfOtherTypes = (right: 'a string' | 'an array', text: string): readonly (readonly [string, unknown])[] => {
  const values = {
    null: null,
    'a number': 42,
    'a boolean': true,
    'a string': text,
    'an array': [text],
    'an object': { name: text },
  };
  return Object.entries(values).filter(([type]) => type !== right);
};

/** One flaw of each kind, for where only a few requests can be spent. */
const mainFlaws: readonly Flaw[] = [
  ...['name', 'environment', 'scopes'].map(lacking),
  withField('a number as name', 'name', 42),
  withEnvironment('staging'),
  withField('a string as scopes', 'scopes', 'ads:read'),
  withScope('ads:admin'),
];

// Blanks around a text are not among the flaws: Django REST framework takes them off before it looks.
const wrongEnvironments = ['', 'test', 'production', 'SANDBOX', 'LIVE'];
const wrongScopes = [
  ...['', 'ads', 'ads:readonly', 'ads:*', '*', 'ADS:READ', 'ads:read ads:write', 'ads:read,ads:write'],
  ...['read:ads', 'ads.read', 'ads:read:all', 'anything:read'],
];

/** What may be wrong with a key request (API key request; What the service does, rule 1). */
const allFlaws: readonly Flaw[] = [
  ...mainFlaws,
  ...valuesOfOtherTypes('a string', 'key').map(([type, value]) => withField(`${type} as name`, 'name', value)),
  ...valuesOfOtherTypes('a string', 'sandbox').map(([, value]) => withEnvironment(value)),
  ...wrongEnvironments.map(withEnvironment),
  ...valuesOfOtherTypes('an array', 'ads:read').map(([type, value]) => withField(`${type} as scopes`, 'scopes', value)),
  ...valuesOfOtherTypes('a string', 'ads:read').map(([, value]) => withScope(value)),
  withField('an array of numbers as scopes', 'scopes', [1, 2]),
  ...wrongScopes.map(withScope),
];

/** A key request with one flaw gets 400: every flaw in the main environment, the main ones with a live key, too. */
export async function judgeCreationValidation(session: Session): Promise<Outcome> {
  const tally = createTally();
  const main = mainEnvironment(session);
  const requests: Record<string, number> = {};
  for (const environment of environmentsOf(session)) {
    const flaws = environment === main ? allFlaws : mainFlaws;
    await judgePart(tally, async () => {
      requests[environment] = await lendKey(session, [`${environment} requests`, scopes, environment], ({ key }) =>
        judgeFlaws(session, tally, environment, key, flaws),
      );
    });
  }
  return tally.outcome({ requests });
}

/** What people write in labels. A deployment may allow plainer ones alone, but must not break on it. */
const inPeoplesWords: Flaw['applyTo'] = (body) => ({ ...body, name: `${body.name} R&D <"é">` });

/**
 * Judges a request with each flaw, sent with a key that the run made or, where that one may make no keys, with the given
 * one. Gives how many were judged. Throws Inconclusive where the accepted request, their twin, was not accepted.
 */
async function judgeFlaws(
  session: Session,
  tally: Tally,
  environment: Environment,
  made: ApiKey,
  flaws: readonly Flaw[],
): Promise<number> {
  const body = { ...((await firstKeyCreation(session)).body as Body), environment };
  const byMade = await request(session, made, body, 'by a key of the run', inPeoplesWords);
  const key = byMade.accepted ? made : makerFor(session, environment);
  const twin = byMade.accepted ? byMade : await request(session, key, body, 'by a given key');
  needAccepted(twin, 'Key cannot be created', 'developer.keys.create');
  let judged = 0;
  for (const { label, applyTo } of flaws) {
    await judgePart(tally, async () => {
      const probe = await request(session, key, body, label, applyTo, 'refusal');
      const what = `A key request with ${label}`;
      if (fullAccountStatuses.includes(probe.status) && !(await request(session, key, body, 'once more')).accepted) {
        // A deployment may look for room before it looks at the body.
        const message = `Account has no room for keys, so ${what} gets ${describeAnswer(probe)}`;
        tally.leaveOpen(findingOn(probe, { message, advice: fullAccountAdvice }));
        return;
      }
      judgeRefusal(tally, { probe, twin, endpoint: endpointOf(`POST ${keysPath}`), status: 400, what });
      judged += 1;
    });
  }
  return judged;
}

/** Sends a key request under a name of its own, and deletes what it makes. */
async function request(
  session: Session,
  key: ApiKey,
  plain: Body,
  label: string,
  applyTo: Flaw['applyTo'] = (body) => body,
  purpose: Purpose = 'documented',
): Promise<Answer> {
  const tag = keyName(session, label);
  const maker = makerFor(session, key.environment);
  const attempt = await createKey(session, { tag, body: applyTo({ ...plain, name: tag }), key, maker, purpose });
  await deleteIfMade(session, attempt, maker);
  return attempt.answer;
}

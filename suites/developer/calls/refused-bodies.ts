import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { scopes } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { assertNotFull, type Body, saysFull } from '../../records/bodies.ts';
import type { ArrangedCall, Difference } from '../../session/api.ts';
import type { Answer } from '../../session/call.ts';
import { mainKey, type Session } from '../../session/session.ts';
import { bodyNull, continued, cutOff, judgeOddBodies, type OddBody } from '../../shared/refusals/refusals.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { createKey, deleteIfMade, environmentsOf, keyName, lendKey, makerFor } from '../keys/making.ts';
import { keysPath } from '../keys/run-key.ts';
import { twinWith } from './twins.ts';

// Bodies that get 400 beside the accepted one: not JSON, no object, or without a required field.

const posts = developerEndpoints.filter(({ body }) => body !== undefined);
const liveOn = 'POST /api/v1/inbox/draft';

/** A check: a body that is not JSON gets 400, on every POST that takes a body. */
export const judgeBrokenBodies: Check = (session, tally) =>
  tally.each(posts, ({ id }, index) =>
    judgeBodies(session, tally, id, [index % 2 === 0 ? cutOff : continued], id === liveOn ? [cutOff] : []),
  );

/** A check: a body that is JSON but not an object gets 400 where the document requires fields. */
export const judgeNotAnObject: Check = (session, tally) =>
  tally.each(
    posts.filter(({ body }) => body?.some(({ required }) => required)),
    ({ id }) =>
      judgeBodies(
        session,
        tally,
        id,
        [bodyNull, { what: 'A body that is an array', reshape: (body) => [body] }],
        id === liveOn ? [bodyNull] : [],
      ),
  );

/** A check: an accepted body gets 400 without any required field, in both environments, and with null as one. */
export const judgeMissingFields =
  (id: string): Check =>
  async (session, tally) => {
    const required = (endpointOf(id).body ?? []).filter((field) => field.required);
    const bodies = required.map(({ name }) => lacking(name));
    const nulls = required
      .slice(0, 1)
      .map(({ name }) => differing(`A body with null as ${name}`, (body) => ({ ...body, [name]: null })));
    await judgeBodies(session, tally, id, [...bodies, ...nulls], bodies);
  };

/** An accepted body that differs in one field. */
const differing = (what: string, change: (body: Body) => Body): OddBody => ({
  what,
  purpose: 'refusal',
  reshape: (body) => change(body as Body),
});

const lacking = (name: string): OddBody => differing(`A body without ${name}`, ({ [name]: _, ...others }) => others);

/** Judges that bodies get 400 on a call; `live`: those that are sent with a live key, too, where there is one. */
async function judgeBodies(
  session: Session,
  tally: Tally,
  id: string,
  bodies: readonly OddBody[],
  live: readonly OddBody[],
): Promise<void> {
  const [key, liveKey] = await keysOfBothEnvironments(session, id);
  const createsKeys = id === `POST ${keysPath}`;
  const parts = [
    // A key that the run made may make no keys.
    { sender: createsKeys ? mainKey(session) : key, given: mainKey(session), some: bodies, how: '' },
    ...(liveKey === undefined ? [] : [{ sender: liveKey, given: liveKey, some: live, how: ' sent with a live key' }]),
  ];
  await tally.inTurn(
    parts.filter(({ some }) => some.length > 0),
    async ({ sender, given, some, how }) => {
      const call = await session.api.arrange(session, endpointOf(id), `a broken body${how}`);
      // A refusal proves something only beside its twin: the same call, with a key of the same environment.
      const twin = await twinWith(session, id, given);
      const send = async (difference: Difference): Promise<Answer> => {
        const first = await call.send({ ...difference, key: sender });
        // That a key of the run gets 401 or 403 is for other clauses to judge.
        const answer = [401, 403].includes(first.status) ? await call.send({ ...difference, key: given }) : first;
        // A deployment may look for room before it looks at the body.
        if (createsKeys && answer.status !== 400) {
          assertNotFull(answer, 'key');
        }
        return answer;
      };
      await judgeOddBodies(tally, { ...call, send, twin: async () => twin }, some, how);
    },
  );
}

// Key requests that must be refused: each differs in one thing from an accepted one.

const withField = (field: string, value: unknown): OddBody =>
  differing(`A key request with ${JSON.stringify(value)} as ${field}`, (body) => ({ ...body, [field]: value }));

/** The flaw is in the middle: a deployment may look at the first or the last scope alone. */
const withScope = (scope: unknown): OddBody => ({
  ...withField('scopes', ['ads:read', scope, 'investor:read']),
  what: `A key request with the scope ${JSON.stringify(scope)}`,
});

/** Values of each JSON type but text: as an enum, some parsers take a number for the place of a value. */
const noTexts = (text: string): readonly unknown[] => [null, 1, true, [text], { name: text }];

/** Wrong values of the fields of a key request, the plainest first. */
const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
  name: [42, ...noTexts('key')],
  environment: ['staging', '', 'test', 'production', 'SANDBOX', 'LIVE', ...noTexts('sandbox')],
  scopes: ['ads:read', null, 1, true, { name: 'ads:read' }, [1, 2]],
};

// Blanks around a text are not among them: Django REST framework takes them off before it looks.
const wrongScopes = [
  'ads:admin',
  '',
  'ads',
  'ads:readonly',
  'ads:*',
  '*',
  'ADS:READ',
  'ads:read ads:write',
  'ads:read,ads:write',
  'read:ads',
  'ads.read',
  'ads:read:all',
  'anything:read',
  ...noTexts('ads:read'),
];

/** What may be wrong with a key request: a field is missing, has one of so many wrong values, or a scope is wrong. */
const flaws = (mostValues: number): readonly OddBody[] => [
  ...Object.keys(wrongValues).map(lacking),
  ...Object.entries(wrongValues).flatMap(([name, values]) =>
    values.slice(0, mostValues).map((value) => withField(name, value)),
  ),
  ...wrongScopes.slice(0, mostValues).map(withScope),
];

/**
 * A check: a key request with one flaw gets 400: with each in the main environment, with one of each kind in live. A
 * key that the run made sends them, or the given one where that may make no keys. What is accepted is deleted at once.
 */
export const judgeCreationValidation: Check = (session, tally) =>
  tally.inTurn(environmentsOf(session), (environment) =>
    lendKey(session, [`${environment} requests`, scopes, environment], async ({ record, key: made }) => {
      const maker = makerFor(session, environment);
      const request = async ({ reshape = (body) => body, key = made, purpose = 'documented' }: Difference) => {
        const tag = keyName(session, 'request');
        const body = reshape({ ...(record.body as Body), name: tag });
        const attempt = await createKey(session, { tag, body, key, maker, purpose });
        await deleteIfMade(session, attempt, maker);
        return attempt.answer;
      };
      const key = (await request({})).accepted ? made : maker;
      const send = async (difference: Difference, triesLeft = 3): Promise<Answer> => {
        const answer = await request({ key, ...difference });
        if (answer.status === 400 || !saysFull(answer)) {
          return answer;
        }
        // A deployment may look for room before it looks at the body, and the run makes and deletes keys meanwhile.
        assertNotFull(await request({ key }), 'key');
        return triesLeft > 0 ? send(difference, triesLeft - 1) : answer;
      };
      const call: ArrangedCall = { endpoint: endpointOf(`POST ${keysPath}`), send, twin: async () => record.answer };
      await judgeOddBodies(tally, call, flaws(environment === environmentsOf(session)[0] ? Infinity : 1));
    }),
  );

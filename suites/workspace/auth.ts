import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { createTally, judged, type Outcome } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { expectAccepted } from '../engine/expect.ts';
import { read, readWithoutKey } from '../records/reads.ts';
import type { ArrangedCall } from '../session/api.ts';
import { type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey, requireKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { basicPassword } from '../session/transport/wire.ts';
import { judgeInvalidKey, judgeMissingKey } from '../shared/refusals/keys-refused.ts';
import { judgeRefusal, judgeRefusals } from '../shared/refusals/refusals.ts';
import { variedRead } from './life/varied-read.ts';
import { judgeForbidden } from './support/permissions/limited-key.ts';
import { judgeScoped } from './support/permissions/other-workspace.ts';
import { judgeRefusedWrites } from './support/permissions/refused-writes.ts';
import { judgeShared } from './support/permissions/second-key.ts';

/** Authentication: which calls are accepted, and which are refused. */
export const auth: Checks = {
  'workspace.auth.bearer': judgeBearer,
  'workspace.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'workspace.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'workspace.auth.revoked-key': atMoment('badKeys', async (session) => {
    const key = requireKey(session, 'WORKSPACE_REVOKED_API_KEY');
    const badCalls = [{ name: 'with a revoked key', send: (call: ArrangedCall) => call.send({ key }) }];
    return (await judgeRefusals(session, { label: 'a revoked key', badCalls })).outcome;
  }),

  'workspace.auth.forbidden': judgeForbidden,
  'workspace.auth.scheme': atMoment('badKeys', judgeScheme),
  'workspace.auth.scoped': judgeScoped,
  'workspace.auth.shared': judgeShared,
  'workspace.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),
};

/**
 * A documented read accepts the key: one is enough, since whether each works is a clause of its own. It does so, too,
 * with the header's name in lower case, as HTTP/2 and many clients send it.
 */
async function judgeBearer(session: Session): Promise<Outcome> {
  let first: Finding | null = null;
  for (const id of session.api.tryouts) {
    const finding = expectAccepted(await read(session, id), 'A key sent as a bearer token is refused');
    if (finding === null) {
      return judged(null, await inLowerCase(session, id));
    }
    first ??= finding;
  }
  return judged(first);
}

/** The finding on the read with the header's name in lower case; null: it is accepted. */
async function inLowerCase(session: Session, id: string): Promise<Finding | null> {
  if ((await variedRead(session)).answer.accepted) {
    return null;
  }
  const { secret } = mainKey(session);
  const answer = await send(session, id, { headers: { Authorization: '', authorization: `Bearer ${secret}` } });
  return expectAccepted(answer, 'A key is refused if the header is spelled "authorization"');
}

/** Query parameters in which frameworks, gateways and RFC 6750 look for a key. */
const queryNames = [
  ...['key', 'token', 'auth', 'bearer', 'authorization', 'Authorization', 'x-api-key', 'subscription-key'],
  ...['api', 'access', 'auth', 'bearer'].flatMap((first) =>
    ['key', 'token'].flatMap((second) => [
      `${first}_${second}`,
      `${first}-${second}`,
      `${first}${second}`,
      `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`,
    ]),
  ),
  // Query mode sends this one itself.
].filter((name) => name !== 'api_key');

/** Undocumented ways of sending a key that frameworks offer. */
const otherWays: readonly (readonly [string, (secret: string) => Pick<Call, 'mode' | 'headers' | 'query'>])[] = [
  ['as the user of Basic authentication', () => ({ mode: 'basic' })],
  ['as the password of Basic authentication', (secret) => authorization(basicPassword(secret))],
  ['in the scheme Token', (secret) => authorization(`Token ${secret}`)],
  ['in Authorization without a scheme', (secret) => authorization(secret)],
  ['in X-API-Key', () => ({ mode: 'header' })],
  [
    'in the query under the usual names (api_key, access_token, key and others)',
    (secret) => ({ mode: 'query', query: Object.fromEntries(queryNames.map((name) => [name, secret])) }),
  ],
];

const authorization = (value: string): Pick<Call, 'headers'> => ({ headers: { Authorization: value } });

/** A key that is sent in another way is refused with 401. */
async function judgeScheme(session: Session): Promise<Outcome> {
  const tally = createTally();
  await session.until('badKeys');
  const endpoint = await guardedList(session);
  const twin = await read(session, endpoint.id);
  await Promise.all(
    otherWays.map(async ([name, way]) => {
      const key: ApiKey = { ...mainKey(session), origin: 'unknown' };
      const probe = await session.client.send(callOf(endpoint, key, { ...way(key.secret), purpose: 'refusal' }));
      const what = `A key sent ${name}`;
      judgeRefusal(tally, { probe, twin, endpoint, status: 401, what });
    }),
  );
  return tally.outcome();
}

/** A list that refuses calls without a key. Throws Inconclusive where there is none. */
async function guardedList(session: Session): Promise<Endpoint> {
  for (const endpoint of session.api.tryouts.map(endpointOf)) {
    if ((await readWithoutKey(session, endpoint)).status === 401) {
      return endpoint;
    }
  }
  const message = 'Cannot judge how a key is sent: no list refuses a call without a key with 401';
  throw new Inconclusive({ message, blames: 'workspace.auth.missing-key' });
}

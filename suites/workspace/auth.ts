import { endpointOf } from '../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { createTally, Inconclusive } from '../../results/outcome.ts';
import { atMoment, type Checks, resultOrNull } from '../engine/check.ts';
import { expectAccepted, findingOn, undecided } from '../engine/expect.ts';
import { read, readWithoutKey, workingRead } from '../records/reads.ts';
import { type Answer, type ApiKey, type Call, callOf, isSuccess } from '../session/call.ts';
import { mainKey, requireKey } from '../session/session.ts';
import { basicTwice } from '../session/transport/wire.ts';
import { judgeInvalidKey, judgeMissingKey, judgeRefusals } from '../shared/refusals/keys-refused.ts';
import { judgeRefusal } from '../shared/refusals/refusals.ts';
import { arrangeCall, callWithKey } from './calls.ts';
import { judgeScoped, judgeShared } from './other-keys.ts';
import { listing } from './records/creating.ts';
import { readInLowerCase } from './records.ts';
import { judgeRefusedWrites } from './refused-writes.ts';

/** Authentication: which calls are accepted, and which are refused. */
export const auth: Checks = {
  // A documented read accepts the key: one is enough, since whether each works is a clause of its own. It does so, too,
  // with the header's name in lower case, as HTTP/2 and many clients send it.
  'workspace.auth.bearer': async (session, tally) => {
    const { id } = (await resultOrNull(workingRead(session))) ?? endpointOf(listing('agents'));
    const finding = expectAccepted(await read(session, id), 'A key sent as a bearer token is refused');
    tally.judge(finding);
    if (finding === null) {
      const varied = await readInLowerCase(session, id);
      tally.judge(expectAccepted(varied, 'A key is refused if the header is spelled "authorization"'));
    }
  },
  'workspace.auth.missing-key': atMoment('badKeys', judgeMissingKey),
  'workspace.auth.invalid-key': atMoment('badKeys', judgeInvalidKey),

  'workspace.auth.revoked-key': atMoment('badKeys', async (session, tally) => {
    const key = requireKey(session, 'WORKSPACE_REVOKED_API_KEY');
    const { outcome } = await judgeRefusals(session, 'a revoked key', () => [{ key }]);
    tally.add(outcome);
    return outcome.observed;
  }),

  // A key that lacks permission is refused by at least one documented call, and always with 403.
  'workspace.auth.forbidden': async (session, tally) => {
    const key = requireKey(session, 'WORKSPACE_LIMITED_API_KEY');
    const probes: Answer[] = [];
    const calls = createTally();
    await calls.each(workspaceEndpoints, async (endpoint) => {
      const call = await arrangeCall(session, endpoint);
      const { answer: probe } = await callWithKey(session, endpoint, key);
      probes.push(probe);
      // A call that the key may make can be refused for its body, its time or a full workspace: so is another one then.
      const isAboutKey = [401, 403].includes(probe.status) || endpoint.method === 'DELETE';
      if (!isSuccess(probe)) {
        const twin = isAboutKey ? await call.twin() : (await call.attempt({ purpose: 'documented' })).answer;
        judgeRefusal(calls, { probe, twin, endpoint, status: 403, what: 'A call without permission' });
      }
    });
    const [first] = probes;
    if (first !== undefined && probes.every(({ status }) => status === 401)) {
      const message = `Limited key gets 401 on all of ${probes.length} documented calls: WORKSPACE_LIMITED_API_KEY may not be a key of this workspace`;
      throw undecided(first, message);
    }
    tally.add(calls.outcome());
    if (first === undefined || !probes.every(isSuccess)) {
      return;
    }
    const [notTried] = calls.outcome().notTried ?? [];
    const finding = findingOn(first, {
      message: `The limited key is never refused: all ${probes.length} documented calls that were tried succeed`,
      expected: '403 on at least one call',
      actual: 'no refusal',
      cause: notTried?.message ?? 'Permissions are not checked, or WORKSPACE_LIMITED_API_KEY has them all',
    });
    // Where only reads, or not all calls, were tried, the key may be allowed to make these.
    if (notTried !== undefined || probes.every(({ exchange }) => exchange.request.method === 'GET')) {
      throw new Inconclusive({ ...finding, ...(notTried?.needs && { needs: notTried.needs }) });
    }
    tally.judge(finding);
  },
  // A key that is sent in another way is refused with 401. Throws Inconclusive where no list refuses a call without.
  'workspace.auth.scheme': atMoment('badKeys', async (session, tally) => {
    await session.until('badKeys');
    const lists = session.api.tryouts.map(endpointOf);
    const guards = await Promise.all(lists.map((one) => readWithoutKey(session, one)));
    const endpoint = lists.find((_, index) => guards[index]?.status === 401);
    if (endpoint === undefined) {
      const message = 'Cannot judge how a key is sent: no list refuses a call without a key with 401';
      throw new Inconclusive({ message, blames: 'workspace.auth.missing-key' });
    }
    const twin = await read(session, endpoint.id);
    await tally.each(otherWays, async ([name, way]) => {
      const key: ApiKey = { ...mainKey(session), origin: 'unknown' };
      const probe = await session.client.send(callOf(endpoint, key, { ...way(key.secret), purpose: 'refusal' }));
      judgeRefusal(tally, { probe, twin, endpoint, status: 401, what: `A key sent ${name}` });
    });
  }),
  'workspace.auth.scoped': judgeScoped,
  'workspace.auth.shared': judgeShared,
  'workspace.auth.no-effect': atMoment('badKeys', judgeRefusedWrites),
};

/** Query parameters in which RFC 6750, Google, Kong, Azure, Laravel and others look for a key, beside `api_key`. */
const queryNames = ['access_token', 'key', 'apikey', 'apiKey', 'subscription-key', 'api_token', 'auth_token', 'token'];

/** Undocumented ways of sending a key that frameworks offer. */
const otherWays: readonly (readonly [string, (secret: string) => Pick<Call, 'mode' | 'headers' | 'query'>])[] = [
  ['in Basic authentication, as the user and as the password', (secret) => authorization(basicTwice(secret))],
  ['in the scheme Token', (secret) => authorization(`Token ${secret}`)],
  ['in Authorization without a scheme', (secret) => authorization(secret)],
  ['in X-API-Key', () => ({ mode: 'header' })],
  [
    'in the query under the usual names (api_key, access_token, key and others)',
    (secret) => ({ mode: 'query', query: Object.fromEntries(queryNames.map((name) => [name, secret])) }),
  ],
];

const authorization = (value: string): Pick<Call, 'headers'> => ({ headers: { Authorization: value } });

import { at, isObject } from '../../common/json.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type KeyType, perMinuteOf } from '../../contract/limits.ts';
import { keyPrefix } from '../../contract/scopes.ts';
import { resultOrNull, settle } from '../engine/check.ts';
import { shownSecrets } from '../reading/shown-secrets.ts';
import { read } from '../records/reads.ts';
import type { Api } from '../session/api.ts';
import type { Answer, KeyMode } from '../session/call.ts';
import { mainKey, type Session, step } from '../session/session.ts';
import { arrange } from './calls/twins.ts';
import { codeTrouble } from './errors.ts';
import { firstCreation, mainEnvironment, targetKey } from './keys/making.ts';
import { findSecrets, keysPath } from './keys/run-key.ts';
import { trySeeding } from './seeding.ts';

const keyList = `GET ${keysPath}`;

/** Reads of the account, which seeding does not change. */
const accountReads = ['GET /api/v1/platform/me', 'GET /api/v1/platform/me/subscriptions', keyList] as const;

/**
 * How calls send a key that name no mode: in the header, as recommended; in the query on a deployment that refuses the
 * key in the header and accepts it there, so that a broken header fails one clause and the others can still be judged.
 */
const usualMode = step(async (session): Promise<KeyMode> => {
  const [endpoint] = accountReads;
  const { status } = await read(session, endpoint, { mode: 'header' });
  return status === 401 && (await read(session, endpoint, { mode: 'query' })).accepted ? 'query' : 'header';
});

/** The developer API: key-authenticated product modules. */
export const developerApi: Api<Session> = {
  name: 'developer',
  other: {
    name: 'workspace',
    hasRefused: ({ status, json }) =>
      status >= 400 && at(json, '/error/status') === status && at(json, '/success') === undefined,
  },
  root: '/api/v1',
  endpoints: developerEndpoints,
  keys: [
    { setting: 'SANDBOX_API_KEY', environment: 'sandbox', isMain: true },
    { setting: 'LIVE_API_KEY', environment: 'live', isMain: true },
    { setting: 'ENTERPRISE_API_KEY', environment: 'enterprise', isMain: false },
  ],
  keyPrefixes: {
    'unknown test key': keyPrefix.sandbox,
    'unknown live key': keyPrefix.live,
    'unknown key without a prefix': '',
  },
  keyModes: ['header', 'query'],
  keyClause: 'developer.auth.header',
  idsAsKeys: async (session) => {
    const own = await resultOrNull(targetKey(session));
    return own === null
      ? []
      : [{ secret: own.id, label: 'id of a key', environment: 'sandbox', origin: 'unknown', derivedFrom: own.key }];
  },
  alwaysTyped: false,
  probes: accountReads,
  tryouts: [
    'GET /api/v1/ads/health-score',
    'GET /api/v1/investor/pipeline',
    'GET /api/v1/inbox/skills',
    'GET /api/v1/platform/me',
  ],
  perMinute: ({ environment }, { ENTERPRISE_PER_MINUTE }) => perMinuteOf(environment as KeyType, ENTERPRISE_PER_MINUTE),
  keysShareBudget: false,
  hasSandbox: true,
  opensLive: ({ origin, secret, environment }) =>
    origin === 'unknown' ? secret.startsWith(keyPrefix.live) : environment !== 'sandbox',
  showsSuccess: (json) => at(json, '/success') === true || isObject(at(json, '/data')),
  lack: {
    what: 'its body has neither success: true nor a data object',
    cause: 'The payload is sent as it is, without the envelope around it: success, data, context, error, meta',
  },
  // The document shows the envelope and many bodies, as they are.
  payload: '/data',
  webhooks: null,
  // What a key request sends is no secret: names, scopes, an environment.
  secretsIn: (json, { endpoint, body }, headers) =>
    endpoint !== undefined && [`POST ${keysPath}`, `POST ${keysPath}/:id/rotate`].includes(endpoint.id)
      ? [
          ...findSecrets(json, body).map(({ value }) => value),
          ...shownSecrets(typeof json === 'string' ? json : at(json, '/data'), headers, 'keys', body),
        ]
      : [],
  errorTrouble: (response) => codeTrouble(response)?.kind ?? null,
  usualMode,
  readBefore,
  arrange,
};

async function readBefore(session: Session, { id }: Endpoint): Promise<Answer | null> {
  if (id === keyList) {
    // A cache may keep the list as it is read first: it must show the first key of the run.
    await settle(firstCreation(session, mainEnvironment(session)));
  } else if (!accountReads.some((one) => one === id)) {
    // "Sandbox keys should seed the sandbox before use."
    const campaigns = await trySeeding(session);
    return campaigns?.exchange.endpoint === id && mainKey(session).environment === 'sandbox' ? campaigns : null;
  }
  return null;
}

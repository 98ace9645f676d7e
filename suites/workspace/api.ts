import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/words.ts';
import { planLimits } from '../../contract/limits.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { shownSecrets, signingSecretsIn } from '../reading/shown-secrets.ts';
import type { Api } from '../session/api.ts';
import type { Session } from '../session/session.ts';
import { arrangeCall } from './calls.ts';
import { listedInStory } from './events/webhook-story.ts';
import { creating, kinds, listing, pathOf } from './records/creating.ts';

/** The workspace API: bearer-authenticated agents, leads, bookings and webhooks. */
export const workspaceApi: Api<Session> = {
  name: 'workspace',
  other: {
    name: 'developer',
    hasRefused: ({ status, json }) => status >= 400 && at(json, '/success') === false && isObject(at(json, '/meta')),
  },
  root: '/v1',
  endpoints: workspaceEndpoints,
  keys: [
    { setting: 'WORKSPACE_API_KEY', environment: 'workspace', isMain: true },
    { setting: 'WORKSPACE_SECOND_API_KEY', environment: 'workspace', isMain: false },
    { setting: 'WORKSPACE_LIMITED_API_KEY', environment: 'workspace', isMain: false },
    { setting: 'WORKSPACE_REVOKED_API_KEY', environment: 'workspace', isMain: false, isRevoked: true },
    { setting: 'WORKSPACE_OTHER_API_KEY', environment: 'workspace', isMain: false },
  ],
  keyPrefixes: { 'unknown key': null },
  keyModes: ['bearer'],
  keyClause: 'workspace.auth.bearer',
  // "Every call carries … the header Content-Type: application/json", with or without a body.
  alwaysTyped: true,
  probes: [listing('agents'), listing('leads'), listing('bookings')],
  tryouts: kinds.map(listing),
  perMinute: (_, { WORKSPACE_PLAN }) => planLimits[WORKSPACE_PLAN].perMinute,
  keysShareBudget: true,
  hasSandbox: false,
  opensLive: () => true,
  // The document shows no bodies: a deletion may be answered with null.
  showsSuccess: (json) => json !== undefined,
  // Nor does it show in which form an answer holds a record.
  payload: '',
  webhooks: pathOf('webhooks'),
  // A registration may show its secret under any name. A refusal may use such names for something else:
  // `{"keyword": "additionalProperties"}`.
  secretsIn: (json, { endpoint, body }, headers) =>
    endpoint?.id === creating('webhooks') && !isObject(at(json, '/error'))
      ? shownSecrets(json, headers, 'webhooks', body)
      : signingSecretsIn(json),
  errorTrouble: ({ json }) => (isObject(at(json, '/error')) ? null : `${show(json, 60)}, without an error object`),
  usualMode: async () => 'bearer',
  readBefore: listedInStory,
  arrange: arrangeCall,
};

import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Suite } from '../engine/check.ts';
import { distrust } from '../shared/distrust.ts';
import { ads } from './ads.ts';
import { developerApi } from './api.ts';
import { auth } from './auth.ts';
import { content } from './content.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { filters } from './filters.ts';
import { inbox } from './inbox.ts';
import { investor } from './investor.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { routing } from './routing.ts';
import { sandbox } from './sandbox.ts';
import { scheduling } from './scheduling.ts';
import { scopes } from './scopes.ts';

/** Clauses that count records, or judge every answer of an endpoint: no other call may come meanwhile or after them. */
const needQuiet: readonly string[] = [
  'developer.sandbox.reseed',
  ...developerEndpoints.flatMap(({ schema, method, clause }) => (schema && method === 'GET' ? [clause] : [])),
];

/** Clauses whose calls carry a bad key, or none. */
const sendBadKeys: readonly string[] = [
  'developer.auth.header',
  'developer.auth.query',
  'developer.auth.missing-key',
  'developer.auth.invalid-key',
  'developer.auth.deleted-key',
  'developer.auth.no-effect',
  'developer.auth.precedence',
  'developer.auth.other-modes',
];

/** All checks of the developer API. */
export const developerSuite: Suite = {
  api: developerApi,
  checks: {
    ...envelope,
    ...errors,
    ...auth,
    ...scopes,
    ...ads,
    ...investor,
    ...scheduling,
    ...inbox,
    ...routing,
    ...content,
    ...filters,
    ...sandbox,
    ...keys,
    ...limits,
  },
  // Bad keys come last: a deployment may lock the caller out for them, and limits are driven for minutes.
  stages: [
    { moment: 'quiet', has: (clause) => clause.startsWith('developer.limits.') || needQuiet.includes(clause) },
    { moment: 'badKeys', has: (clause) => sendBadKeys.includes(clause) },
  ],
  distrust,
};

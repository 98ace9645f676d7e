import type { Suite } from '../engine/check.ts';
import { distrust } from '../shared/refusals/keys-refused.ts';
import { developerApi } from './api.ts';
import { auth } from './auth.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { filters } from './filters.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { modules } from './modules.ts';
import { sandbox } from './sandbox.ts';
import { scopes } from './scopes.ts';

/** All checks of the developer API. */
export const developerSuite: Suite = {
  api: developerApi,
  checks: {
    ...envelope,
    ...errors,
    ...auth,
    ...scopes,
    ...modules,
    ...filters,
    ...sandbox,
    ...keys,
    ...limits,
  },
  // Bad keys come last: a deployment may lock the caller out for them, and limits are driven for minutes.
  moments: ['quiet', 'badKeys'],
  distrust,
};

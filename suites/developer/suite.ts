import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Checks, Suite } from '../engine/check.ts';
import { distrust } from '../shared/refusals/keys-refused.ts';
import { developerApi } from './api.ts';
import { auth } from './auth.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { callSucceeds } from './calls/succeeds.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { vocabularies } from './filters/documented.ts';
import { keywords } from './filters/keywords.ts';
import { filterSelects, filters, windowsSelect } from './filters.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { sandbox } from './sandbox.ts';
import { scopes } from './scopes.ts';

const ofModules = developerEndpoints.filter(({ scope }) => scope !== null);
const withRequiredFields = ofModules.filter(({ body }) => body);

/** The calls of the six product modules, with the bodies that they refuse and what their parameters select. */
const modules: Checks = {
  ...Object.fromEntries(ofModules.map((endpoint) => [endpoint.clause, callSucceeds(endpoint)])),
  ...Object.fromEntries(withRequiredFields.map(({ id, clause }) => [`${clause}-validation`, judgeMissingFields(id)])),
  ...Object.fromEntries(vocabularies.map((filter) => [filter.clause, filterSelects(filter)])),
  'developer.scheduling.bookings-window': windowsSelect,
  ...keywords,
};

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

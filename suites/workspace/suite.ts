import type { Suite } from '../engine/check.ts';
import { distrust } from '../shared/refusals/keys-refused.ts';
import { workspaceApi } from './api.ts';
import { auth } from './auth.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { limits } from './limits.ts';
import { records } from './records.ts';

/** All checks of the workspace API. */
export const workspaceSuite: Suite = {
  api: workspaceApi,
  checks: {
    ...errors,
    ...auth,
    ...records,
    ...events,
    ...limits,
  },
  // Bad keys come first: their calls need records, which are deleted before the workspace is driven over its limit.
  moments: ['badKeys', 'quiet'],
  distrust,
};

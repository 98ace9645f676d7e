import type { Suite } from '../engine/check.ts';
import { distrust } from '../shared/distrust.ts';
import { agents } from './agents.ts';
import { workspaceApi } from './api.ts';
import { auth } from './auth.ts';
import { bookings } from './bookings.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { leads } from './leads.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { requests } from './requests.ts';
import { responses } from './responses.ts';
import { webhooks } from './webhooks.ts';

/** Clauses whose calls carry a bad key, or none. */
const withBadKeys = ['missing-key', 'invalid-key', 'revoked-key', 'scheme', 'no-effect'].map(
  (name) => `workspace.auth.${name}`,
);

/** What is deleted may not be listed later either. */
const deletions = ['agents.delete', 'bookings.cancel', 'webhooks.remove'].map((name) => `workspace.${name}`);

/** All checks of the workspace API. */
export const workspaceSuite: Suite = {
  api: workspaceApi,
  checks: {
    ...responses,
    ...errors,
    ...auth,
    ...agents,
    ...leads,
    ...bookings,
    ...lists,
    ...requests,
    ...webhooks,
    ...events,
    ...limits,
  },
  // Bad keys need the records that are deleted before the workspace is driven over its limit.
  stages: [
    { moment: 'badKeys', has: (clause) => withBadKeys.includes(clause) },
    { moment: 'quiet', has: (clause) => clause.startsWith('workspace.limits.') || deletions.includes(clause) },
  ],
  distrust,
};

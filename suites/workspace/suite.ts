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
const sendBadKeys: readonly string[] = [
  'workspace.auth.missing-key',
  'workspace.auth.invalid-key',
  'workspace.auth.revoked-key',
  'workspace.auth.scheme',
  'workspace.auth.no-effect',
];

/** Clauses on changes and deletions: no later read of the run may show the record as it was. */
const lasting: readonly string[] = [
  'workspace.agents.update',
  'workspace.leads.update',
  'workspace.agents.delete',
  'workspace.bookings.cancel',
  'workspace.webhooks.remove',
];

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
  // Bad keys come first: their calls need records, which are deleted before the workspace is driven over its limit.
  stages: [
    { moment: 'badKeys', has: (clause) => sendBadKeys.includes(clause) },
    { moment: 'quiet', has: (clause) => clause.startsWith('workspace.limits.') || lasting.includes(clause) },
  ],
  distrust,
};

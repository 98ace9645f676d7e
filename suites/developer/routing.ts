import type { Checks } from '../engine/check.ts';
import { readSucceeds } from './calls/succeeds.ts';

/** Voice and SMS. */
export const routing: Checks = {
  'developer.routing.me': readSucceeds('GET /api/v1/platform/me'),
  'developer.routing.me-subscriptions': readSucceeds('GET /api/v1/platform/me/subscriptions'),
};

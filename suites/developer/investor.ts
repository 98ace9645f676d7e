import { atMoment, type Checks } from '../engine/check.ts';
import { creates, readSucceeds } from './calls/succeeds.ts';

/** Investor relations. */
export const investor: Checks = {
  'developer.investor.pipeline': atMoment('quiet', readSucceeds('GET /api/v1/investor/pipeline')),
  'developer.investor.readiness': readSucceeds('GET /api/v1/investor/readiness'),
  'developer.investor.data-room': readSucceeds('GET /api/v1/investor/data-room'),
  'developer.investor.updates-list': readSucceeds('GET /api/v1/investor/updates'),
  'developer.investor.updates-create': creates('POST /api/v1/investor/updates'),
};

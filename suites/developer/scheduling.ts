import type { Checks } from '../engine/check.ts';
import { readSucceeds } from './calls/succeeds.ts';
import { vocabularies } from './filters/filter.ts';
import { filterSelects } from './filters/selects.ts';
import { judgeWindows } from './filters/windows.ts';

/** Booking and leads. */
export const scheduling: Checks = {
  'developer.scheduling.bookings': readSucceeds('GET /api/v1/developer/export/bookings'),
  'developer.scheduling.bookings-status': filterSelects(vocabularies.bookings),
  'developer.scheduling.bookings-window': judgeWindows,
  'developer.scheduling.leads': readSucceeds('GET /api/v1/developer/export/leads'),
  'developer.scheduling.leads-status': filterSelects(vocabularies.leads),
  'developer.scheduling.leads-source': filterSelects(vocabularies.sources),
};

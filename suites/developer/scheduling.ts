import type { Checks } from '../engine/check.ts';
import { readSucceeds } from './support/calls/plain-checks.ts';
import { judgeWindows } from './support/filters/booking-windows.ts';
import { vocabularies } from './support/filters/filter-lists.ts';
import { filterSelects } from './support/filters/judge-filter.ts';

/** Booking and leads. */
export const scheduling: Checks = {
  'developer.scheduling.bookings': readSucceeds(vocabularies.bookings.endpoint),
  'developer.scheduling.bookings-status': filterSelects(vocabularies.bookings),
  'developer.scheduling.bookings-window': judgeWindows,
  'developer.scheduling.leads': readSucceeds(vocabularies.leads.endpoint),
  'developer.scheduling.leads-status': filterSelects(vocabularies.leads),
  'developer.scheduling.leads-source': filterSelects(vocabularies.sources),
};

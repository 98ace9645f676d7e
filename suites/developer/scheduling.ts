import { createTally } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { expectStatus } from '../engine/expect.ts';
import { send } from '../session/send.ts';
import { readSucceeds } from './calls/succeeds.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { bookings, vocabularies, windowsAround } from './filters/documented.ts';
import { filterSelects, judgeFilter } from './filters/judge.ts';
import { readSet } from './filters/lists.ts';

/** A day, and a time without a zone: either may be refused, and neither may break the export. */
const openForms = ['2026-03-02', '2026-03-02T09:00:00'];

/** Booking and leads. */
export const scheduling: Checks = {
  'developer.scheduling.bookings': readSucceeds('GET /api/v1/developer/export/bookings'),
  'developer.scheduling.bookings-status': filterSelects(vocabularies.bookings),

  /** The export accepts from and to in every spelling, together and alone, and yields no others. */
  'developer.scheduling.bookings-window': async (session) => {
    const tally = createTally();
    for (const key of await keysOfBothEnvironments(session, bookings.endpoint)) {
      const { entries } = await readSet(session, bookings, { key });
      const rows = entries.map(({ row }) => row);
      await judgeFilter(session, tally, { key }, windowsAround(rows, session.clock.now()));
    }
    for (const from of openForms) {
      const answer = await send(session, bookings.endpoint, { query: { from }, purpose: 'off-document' });
      const what = `An export from ${from}, a form of ISO 8601 that the document leaves open,`;
      tally.judge(answer.status >= 500 ? expectStatus(answer, [200, 400], what, 'The value is not checked') : null);
    }
    return tally.outcome();
  },

  'developer.scheduling.leads': readSucceeds('GET /api/v1/developer/export/leads'),
  'developer.scheduling.leads-status': filterSelects(vocabularies.leads),
  'developer.scheduling.leads-source': filterSelects(vocabularies.sources),
};

import { createTally } from '../../results/outcome.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, expectAccepted, findingOn } from '../engine/expect.ts';
import { read } from './calls.ts';
import { listIn } from './records.ts';

const bookings = 'GET /api/v1/developer/export/bookings';

/** Windows that hold no booking whatever their bounds are compared with: long before any service, and long after. */
const empty = [
  { from: '1970-01-01T00:00:00.000Z', to: '1970-01-02T00:00:00.000Z', says: 'before any booking' },
  { from: '9000-01-01T00:00:00.000Z', to: '9000-01-02T00:00:00.000Z', says: 'far in the future' },
] as const;

const everything = { from: '1970-01-01T00:00:00.000Z', to: '9000-01-01T00:00:00.000Z' };

/** The bookings export between two timestamps. */
export const scheduling: Checks = {
  'developer.scheduling.bookings-window': async (session) => {
    const tally = createTally();
    const [plain, all, ...windows] = await Promise.all([
      read(session, bookings),
      read(session, bookings, everything),
      ...empty.map(({ from, to }) => read(session, bookings, { from, to })),
    ]);
    const rows = accepted(plain) ? listIn(plain, 'booking')?.rows : undefined;
    for (const [i, answer] of windows.entries()) {
      const refused = expectAccepted(answer, 'from and to are not taken');
      if (refused) {
        tally.judge(refused);
      } else if (rows === undefined || rows.length === 0) {
        tally.leaveOpen(
          findingOn(plain, {
            message: `${bookings} shows no bookings, so an empty window cannot be told from it`,
            ...(accepted(plain)
              ? { cause: 'Bookings shown as a list of objects would decide it', blames: 'developer.sandbox.data' }
              : { blames: 'developer.scheduling.bookings' }),
          }),
        );
      } else {
        const left = listIn(answer, 'booking')?.rows.length ?? 0;
        tally.judge(
          left === 0
            ? null
            : findingOn(answer, {
                message: `Window ${empty[i]?.says ?? ''} yields ${left} bookings`,
                expected: 'no bookings',
                actual: `${left} bookings`,
                cause: 'from, to or both are ignored',
              }),
        );
      }
    }
    // How long a window may be is not shown, so only a success without bookings speaks against the deployment.
    const covering = accepted(all) ? listIn(all, 'booking')?.rows : undefined;
    if (covering !== undefined && rows !== undefined && rows.length > 0) {
      tally.judge(
        covering.length > 0
          ? null
          : findingOn(all, {
              message: 'Window that covers every booking yields none',
              expected: `${rows.length} bookings, as without a window`,
              actual: 'none',
            }),
      );
    }
    return tally.outcome();
  },
};

import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { expectAccepted, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { read } from '../shared/reads.ts';
import { filterSelects } from './support/filtered.ts';
import { readSucceeds } from './support/plain-checks.ts';
import { listIn } from './support/rows.ts';

const bookings = 'GET /api/v1/developer/export/bookings';
const leads = 'GET /api/v1/developer/export/leads';

/** Booking and leads. */
export const scheduling: Checks = {
  'developer.scheduling.bookings': readSucceeds(bookings),
  'developer.scheduling.bookings-status': filterSelects({ endpoint: bookings, name: 'status', noun: 'booking' }),
  'developer.scheduling.bookings-window': judgeWindows,
  'developer.scheduling.leads': readSucceeds(leads),
  'developer.scheduling.leads-status': filterSelects({ endpoint: leads, name: 'status', noun: 'lead' }),
  'developer.scheduling.leads-source': filterSelects({ endpoint: leads, name: 'source', noun: 'lead' }),
};

/** Windows that hold no booking whatever their bounds are compared with: long before any service, and long after. */
const emptyWindows = [
  { from: '1970-01-01T00:00:00.000Z', to: '1970-01-02T00:00:00.000Z', says: 'before any booking' },
  { from: '9000-01-01T00:00:00.000Z', to: '9000-01-02T00:00:00.000Z', says: 'far in the future' },
] as const;

const everything = { from: '1970-01-01T00:00:00.000Z', to: '9000-01-01T00:00:00.000Z' };

/** The bookings that an export shows; undefined where it shows no list of them. */
const bookingsIn = (answer: Answer): number | undefined =>
  answer.accepted ? listIn(answer, 'booking')?.rows.length : undefined;

async function judgeWindows(session: Session): Promise<Outcome> {
  const tally = createTally();
  const [plain, all, ...windows] = await Promise.all([
    read(session, bookings),
    read(session, bookings, { query: everything }),
    ...emptyWindows.map(({ from, to }) => read(session, bookings, { query: { from, to } })),
  ]);
  for (const [index, answer] of windows.entries()) {
    judgeEmptyWindow(tally, plain, answer, emptyWindows[index]?.says ?? '');
  }
  // How long a window may be is not shown, so only a success without bookings speaks against the deployment.
  const [known, covered] = [bookingsIn(plain) ?? 0, bookingsIn(all)];
  if (known > 0 && covered !== undefined) {
    tally.judge(
      covered > 0
        ? null
        : findingOn(all, {
            message: 'Window that covers every booking yields none',
            expected: `${known} bookings, as without a window`,
            actual: 'none',
          }),
    );
  }
  return tally.outcome();
}

function judgeEmptyWindow(tally: Tally, plain: Answer, answer: Answer, says: string): void {
  if (!answer.accepted) {
    tally.judge(expectAccepted(answer, 'from and to are not taken'));
    return;
  }
  if ((bookingsIn(plain) ?? 0) === 0) {
    tally.leaveOpen(
      findingOn(plain, {
        message: `${bookings} shows no bookings, so an empty window cannot be told from it`,
        ...(plain.accepted
          ? { cause: 'Bookings shown as a list of objects would decide it', blames: 'developer.sandbox.data' }
          : { blames: 'developer.scheduling.bookings' }),
      }),
    );
    return;
  }
  const left = bookingsIn(answer) ?? 0;
  tally.judge(
    left === 0
      ? null
      : findingOn(answer, {
          message: `Window ${says} yields ${left} bookings`,
          expected: 'no bookings',
          actual: `${left} bookings`,
          cause: 'from, to or both are ignored',
        }),
  );
}

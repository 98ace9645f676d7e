import { walk } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { createTally, type Tally } from '../../results/outcome.ts';
import type { Check } from '../engine/engine.ts';
import { accepted, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import { callOf } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { endpoint, marker, read, requireKey } from './calls.ts';
import { exemplar } from './exemplars.ts';
import { listIn, sharedRows } from './records.ts';

/** Lists whose records the two environments may not share. */
const lists = [
  ['GET /api/v1/ads/campaigns', 'campaign'],
  ['GET /api/v1/investor/pipeline', 'deal'],
  ['GET /api/v1/developer/export/bookings', 'booking'],
  ['GET /api/v1/developer/export/leads', 'lead'],
] as const;

/** What the sandbox key creates, and the list in which it shows. */
const creations = [
  ['POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
] as const;

/** Nothing of the sandbox shows to a live key: neither what this run created there nor any whole record. */
export const isolation: Check = async (session) => {
  requireKey(session, 'SANDBOX_API_KEY');
  requireKey(session, 'LIVE_API_KEY');
  const tally = createTally();
  await Promise.all([
    ...lists.map(([id, noun]) => partly(tally, () => judgeRecords(session, tally, id, noun))),
    ...creations.map(([write, list]) => partly(tally, () => judgeCreated(session, tally, write, list))),
  ]);
  return tally.outcome();
};

async function judgeRecords(session: Session, tally: Tally, id: string, noun: string): Promise<void> {
  const [sandbox, live] = await Promise.all([
    read(session, id),
    read(session, id, undefined, requireKey(session, 'LIVE_API_KEY')),
  ]);
  const [ours, theirs] = [sandbox, live].map((answer) => (accepted(answer) ? listIn(answer, noun)?.rows : undefined));
  const undecided = (answer: Answer): void =>
    tally.leaveOpen(
      findingOn(answer, {
        message: `${id} shows no records to compare between sandbox and live`,
        blames: endpoint(id).clause,
      }),
    );
  if (ours === undefined || ours.length === 0) {
    return undecided(sandbox);
  }
  if (theirs === undefined) {
    return undecided(live);
  }
  const shared = sharedRows(ours, theirs);
  tally.judge(
    shared.length === 0
      ? null
      : findingOn(live, {
          message: `Live key is shown ${shared.length} of the sandbox's records on ${id}`,
          expected: 'no record of the sandbox',
          actual: show(shared[0]),
          cause: 'The list reads the sandbox whatever the key, or its query leaves the environment out',
        }),
  );
}

async function judgeCreated(session: Session, tally: Tally, write: string, list: string): Promise<void> {
  const { answer } = await exemplar(session, write);
  if (!accepted(answer)) {
    tally.leaveOpen(
      findingOn(answer, {
        message: `${write} creates nothing in the sandbox that a live key could be shown`,
        blames: endpoint(write).clause,
      }),
    );
    return;
  }
  const [own, live] = await Promise.all([
    listed(session, list, 'SANDBOX_API_KEY'),
    listed(session, list, 'LIVE_API_KEY'),
  ]);
  const mark = marker(session, 'accepted');
  const shows = (page: Answer): boolean =>
    walk(page.json).some(({ value }) => typeof value === 'string' && value.includes(mark));
  if (shows(live) || (accepted(live) && shows(own))) {
    tally.judge(
      !shows(live)
        ? null
        : findingOn(live, {
            message: `Live key is shown on ${list} what a sandbox key created`,
            expected: `nothing of ${mark}`,
            actual: 'a record that carries it',
          }),
    );
  } else {
    tally.leaveOpen(
      findingOn(own, { message: `${list} does not show what ${write} created, not even to the sandbox key` }),
    );
  }
}

const listed = (session: Session, list: string, setting: 'SANDBOX_API_KEY' | 'LIVE_API_KEY'): Promise<Answer> =>
  session.client.send(callOf(endpoint(list), requireKey(session, setting)));

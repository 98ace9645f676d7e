import { show } from '../../../common/schema.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Answer } from '../../session/answer.ts';
import type { KeyName } from '../../session/api.ts';
import { requireKey } from '../../session/keys.ts';
import { mentions } from '../../session/record.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { read } from '../../shared/reads.ts';
import { acceptedMark } from './bodies.ts';
import { listIn, sharedRows } from './rows.ts';
import { twinOf } from './twins.ts';

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
export const judgeIsolation: Check = async (session) => {
  requireKey(session, 'SANDBOX_API_KEY');
  requireKey(session, 'LIVE_API_KEY');
  const tally = createTally();
  await Promise.all([
    ...lists.map(([list, noun]) => judgePart(tally, () => judgeRecords(session, tally, list, noun))),
    ...creations.map(([write, list]) => judgePart(tally, () => judgeCreated(session, tally, write, list))),
  ]);
  return tally.outcome();
};

async function judgeRecords(session: Session, tally: Tally, endpoint: string, noun: string): Promise<void> {
  const [sandbox, live] = await Promise.all([
    read(session, endpoint),
    read(session, endpoint, { key: requireKey(session, 'LIVE_API_KEY') }),
  ]);
  const [ours = [], theirs] = [sandbox, live].map((answer) =>
    answer.accepted ? listIn(answer, noun)?.rows : undefined,
  );
  if (ours.length === 0 || theirs === undefined) {
    tally.leaveOpen(
      findingOn(ours.length === 0 ? sandbox : live, {
        message: `${endpoint} shows no records to compare between sandbox and live`,
        blames: endpointOf(endpoint).clause,
      }),
    );
    return;
  }
  const shared = sharedRows(ours, theirs);
  tally.judge(
    shared.length === 0
      ? null
      : findingOn(live, {
          message: `Live key is shown ${shared.length} of the sandbox's records on ${endpoint}`,
          expected: 'no record of the sandbox',
          actual: show(shared[0]),
          cause: 'The list reads the sandbox whatever the key, or its query leaves the environment out',
        }),
  );
}

async function judgeCreated(session: Session, tally: Tally, write: string, list: string): Promise<void> {
  const { answer } = await twinOf(session, write);
  if (!answer.accepted) {
    tally.leaveOpen(
      findingOn(answer, {
        message: `${write} creates nothing in the sandbox that a live key could be shown`,
        blames: endpointOf(write).clause,
      }),
    );
    return;
  }
  const listAs = (setting: KeyName): Promise<Answer> => send(session, list, { key: requireKey(session, setting) });
  const [own, live] = await Promise.all([listAs('SANDBOX_API_KEY'), listAs('LIVE_API_KEY')]);
  const words = acceptedMark(session);
  const shows = ({ json }: Answer): boolean => mentions(json, words);
  if (shows(live)) {
    tally.judge(
      findingOn(live, {
        message: `Live key is shown on ${list} what a sandbox key created`,
        expected: `nothing of ${words}`,
        actual: 'a record that holds it',
      }),
    );
  } else if (live.accepted && shows(own)) {
    tally.judge(null);
  } else {
    const message = `${list} does not show what ${write} created, not even to the sandbox key`;
    tally.leaveOpen(findingOn(own, { message }));
  }
}

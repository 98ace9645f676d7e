import { at, scalarText } from '../../../../common/json.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { findingOn, undecided } from '../../../engine/expect.ts';
import { judgePart, settle } from '../../../engine/parts.ts';
import { readPages } from '../../../records/list-reading.ts';
import { findInList } from '../../../records/list-search.ts';
import { showsAsOwn } from '../../../records/others.ts';
import type { Answer } from '../../../session/answer.ts';
import { intentOf } from '../../../session/ledger/ledger.ts';
import type { Session } from '../../../session/session.ts';
import {
  refusalsOfNearMisses,
  refusalsOfUnknownKeys,
  refusalsWithoutKey,
  refusedLabels,
} from '../../../shared/refusals/keys-refused.ts';
import { judgeEffect } from '../../../shared/refusals/no-effect.ts';
import type { RefusalResults } from '../../../shared/refusals/refusals.ts';
import { dropKey } from '../../keys/creation.ts';
import { targetKey, targetKeyRead } from '../../keys/lending.ts';
import { keysPath } from '../../keys/run-key.ts';
import { tryKey } from '../../keys/ways.ts';
import { acceptedMark, refusedMark } from '../bodies/bodies.ts';
import { judgeUnlisted } from './unlisted-write.ts';

/** Writes, each with its module and the list that shows what it creates. */
export const shownWrites = [
  ['investor', 'POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['ads', 'POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['inbox', 'POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['content', 'POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
] as const;

/** Calls without a key, or with unknown keys, which should all get 401. */
interface BadKeyCalls {
  /** The clause that judges them. */
  readonly clause: string;
  /** Is in their bodies. */
  readonly label: string;
  readonly tried: RefusalResults;
}

/** A write that was refused with 401 changed nothing: no record was made, and no key made, deleted or rotated. */
export async function judgeRefusedWrites(session: Session): Promise<Outcome> {
  const tally = createTally();
  const badKeyCalls: BadKeyCalls[] = [
    {
      clause: 'developer.auth.missing-key',
      label: refusedLabels.missing,
      tried: await refusalsWithoutKey(session),
    },
    {
      clause: 'developer.auth.invalid-key',
      label: refusedLabels.invalid,
      tried: await refusalsOfUnknownKeys(session),
    },
  ];
  // What a deployment queued may take KEY_SETTLE_MS to show.
  const answered = badKeyCalls.flatMap(({ tried }) => tried.probes.map(({ probe }) => probe.exchange.receivedAt));
  const settledAt = Math.max(0, ...answered) + session.settings.KEY_SETTLE_MS;
  await session.clock.sleep(Math.max(0, settledAt - session.clock.now()));
  for (const [, endpoint, list] of shownWrites) {
    await judgePart(tally, async () => {
      const pages = await readPages(session, list, { reuse: ({ at }) => at >= settledAt });
      for (const calls of badKeyCalls) {
        await judgeRecordNotMade(session, tally, calls, { endpoint, list, pages });
      }
    });
  }
  await judgePart(tally, async () => {
    for (const calls of badKeyCalls) {
      await judgeKeyNotMade(session, tally, calls);
    }
  });
  await judgePart(tally, () => judgeKeyNotChanged(session, tally, badKeyCalls));
  await settle(refusalsOfNearMisses(session));
  await settle((async () => dropKey(session, await targetKey(session)))());
  return tally.outcome();
}

/** The endpoint's answer: one other than 401, if there is one, decides; undefined: the endpoint was not called. */
const answerFrom = ({ tried }: BadKeyCalls, endpoint: string): Answer | undefined => {
  const answers = tried.probes.flatMap(({ probe, endpoint: { id } }) => (id === endpoint ? [probe] : []));
  return answers.find(({ status }) => status !== 401) ?? answers[0];
};

/** A write, and its list as it is when a refused one would show. */
interface WriteAndList {
  readonly endpoint: string;
  readonly list: string;
  readonly pages: readonly Answer[];
}

async function judgeRecordNotMade(
  session: Session,
  tally: Tally,
  calls: BadKeyCalls,
  { endpoint, list, pages }: WriteAndList,
): Promise<void> {
  const answer = answerFrom(calls, endpoint);
  if (answer === undefined) {
    return;
  }
  const { clause, label } = calls;
  const words = refusedMark(session, label);
  const acceptedWords = acceptedMark(session);
  await judgeUnlisted(session, tally, { endpoint, list, answer, status: 401, words, acceptedWords, clause }, pages);
}

/** The key list shows no key with the name in a refused request. If it does, that key is the run's to delete. */
async function judgeKeyNotMade(session: Session, tally: Tally, calls: BadKeyCalls): Promise<void> {
  const endpoint = `POST ${keysPath}`;
  const answer = answerFrom(calls, endpoint);
  if (answer?.status !== 401) {
    return;
  }
  const tag = scalarText(at(JSON.parse(answer.exchange.request.body ?? 'null'), '/name')) ?? '';
  const { isShown, first, last } = await findInList(session, keysPath, { id: undefined, tag });
  const isMade = isShown && first.accepted && showsAsOwn(session, keysPath, last, tag);
  if (isMade) {
    const { entry } = (await targetKey(session)).record;
    session.ledger.intend({ ...intentOf(entry), tag });
  }
  const message = `Cannot tell what refused requests for keys leave behind: the key list got ${describeAnswer(first)}`;
  judgeEffect(
    tally,
    { endpoint, status: 401 },
    {
      effect: isMade ? { shownBy: last, how: `the key list shows ${tag}` } : undefined,
      unknown: first.accepted ? null : findingOn(first, { message, blames: 'developer.keys.list' }),
    },
  );
}

/** The target key of refused deletions and rotations still works. Throws Inconclusive where not all of them got 401. */
async function judgeKeyNotChanged(session: Session, tally: Tally, badKeyCalls: readonly BadKeyCalls[]): Promise<void> {
  const endpoints = [`DELETE ${keysPath}/:id`, `POST ${keysPath}/:id/rotate`];
  const unrefused = badKeyCalls.find((calls) =>
    endpoints.some((endpoint) => (answerFrom(calls, endpoint)?.status ?? 401) !== 401),
  );
  const before = await targetKeyRead(session);
  if (unrefused !== undefined || !before.accepted) {
    const message = 'Cannot tell whether refused deletions and rotations of a key took effect: not all of them got 401';
    throw undecided(before, message, unrefused?.clause ?? 'developer.keys.create');
  }
  const { key } = await targetKey(session);
  const now = await tryKey(session, key, { isOutdated: () => false });
  const how = `a key that worked before gets ${describeAnswer(now)}`;
  judgeEffect(
    tally,
    { endpoint: endpoints.join(' or '), status: 401 },
    { effect: now.status === 401 ? { shownBy: now, how } : undefined, unknown: null },
  );
}

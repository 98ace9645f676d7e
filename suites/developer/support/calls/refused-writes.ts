import { at } from '../../../../common/json.ts';
import { createTally, type Outcome, type Tally } from '../../../../results/outcome.ts';
import { describeAnswer, findingOn, judgeThat, undecided } from '../../../engine/expect.ts';
import { judgePart, settle } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { lookFor } from '../../../shared/lists/list-search.ts';
import { pagesIn } from '../../../shared/lists/looks.ts';
import {
  refusedLabels,
  triedWithNearMisses,
  triedWithoutKey,
  triedWithUnknownKeys,
} from '../../../shared/refusals/keys-refused.ts';
import { judgeNoEffect } from '../../../shared/refusals/no-effect.ts';
import type { Tried } from '../../../shared/refusals/refusals.ts';
import { dropKey } from '../keys/drop-key.ts';
import { tryKey } from '../keys/first-key.ts';
import { targetKey, targetKeyRead } from '../keys/make-key.ts';
import { keysPath } from '../keys/run-key.ts';
import { acceptedMark, refusedMark } from './bodies.ts';

/** Writes, and the lists in which what they create shows. */
export const shownWrites = [
  ['investor', 'POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['ads', 'POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['inbox', 'POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['content', 'POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
] as const;

/** Calls of one kind that were to be refused with 401. */
interface Kind {
  readonly clause: string;
  readonly label: string;
  readonly tried: Tried;
}

/** A write that was refused with 401 changed nothing: no record was made, and no key made, deleted or rotated. */
export async function judgeRefusedWrites(session: Session): Promise<Outcome> {
  const tally = createTally();
  const kinds: Kind[] = [
    {
      clause: 'developer.auth.missing-key',
      label: refusedLabels.missing,
      tried: await triedWithoutKey(session),
    },
    {
      clause: 'developer.auth.invalid-key',
      label: refusedLabels.invalid,
      tried: await triedWithUnknownKeys(session),
    },
  ];
  // What was queued may take a moment to show.
  const answered = kinds.flatMap(({ tried }) => tried.probes.map(({ probe }) => probe.exchange.receivedAt));
  const since = Math.max(0, ...answered) + session.settings.KEY_SETTLE_MS;
  await session.clock.sleep(Math.max(0, since - session.clock.now()));
  for (const [, endpoint, list] of shownWrites) {
    await judgePart(tally, async () => {
      const after = await pagesIn(session, list, { reuse: ({ at }) => at >= since });
      await judgeRecords(session, tally, kinds, { endpoint, list, after });
    });
  }
  await judgePart(tally, () => judgeKeyMade(session, tally, kinds));
  await judgePart(tally, () => judgeKeyChanged(session, tally, kinds));
  await settle(triedWithNearMisses(session));
  await settle((async () => dropKey(session, await targetKey(session)))());
  return tally.outcome();
}

/** The calls of an endpoint; undefined where none was made. One that was not refused comes first: it decides nothing. */
const telling = ({ tried }: Kind, endpoint: string): Answer | undefined =>
  tried.probes
    .flatMap((one) => (one.endpoint.id === endpoint ? [one.probe] : []))
    .sort((a, b) => Number(a.status === 401) - Number(b.status === 401))[0];

async function judgeRecords(
  session: Session,
  tally: Tally,
  kinds: readonly Kind[],
  { endpoint, list, after }: { readonly endpoint: string; readonly list: string; readonly after: readonly Answer[] },
): Promise<void> {
  for (const { clause, label, ...kind } of kinds) {
    const answer = telling({ clause, label, ...kind }, endpoint);
    if (answer !== undefined) {
      const [words, acceptedWords] = [refusedMark(session, label), acceptedMark(session)];
      await judgeNoEffect(session, tally, { endpoint, list, answer, status: 401, words, acceptedWords, clause }, after);
    }
  }
}

/** No key has a name that stood in a refused request. One that has is the run's to delete. */
async function judgeKeyMade(session: Session, tally: Tally, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) {
    const answer = telling(kind, `POST ${keysPath}`);
    if (answer?.status !== 401) {
      continue;
    }
    const tag = String(at(JSON.parse(answer.exchange.request.body ?? 'null'), '/name'));
    const { isShown, first, last } = await lookFor(session, keysPath, { id: undefined, tag });
    if (!first.accepted) {
      const message = `Key list does not show what a refused request made: ${describeAnswer(first)}`;
      tally.leaveOpen(findingOn(first, { message, blames: 'developer.keys.list' }));
      continue;
    }
    if (isShown) {
      const { entry } = (await targetKey(session)).record;
      const { number: _, id: __, ...intent } = entry;
      session.ledger.intend({ ...intent, tag });
    }
    judgeThat(tally, !isShown, last, {
      message: `Key request that was refused with 401 took effect: the key list shows ${tag}`,
      expected: 'no key of that name',
      actual: 'a key of that name',
    });
  }
}

/** The key that the refused deletions and rotations named works as before. */
async function judgeKeyChanged(session: Session, tally: Tally, kinds: readonly Kind[]): Promise<void> {
  const calls = [`DELETE ${keysPath}/:id`, `POST ${keysPath}/:id/rotate`];
  const stray = kinds.find((kind) => calls.some((call) => (telling(kind, call)?.status ?? 401) !== 401));
  const before = await targetKeyRead(session);
  if (stray !== undefined || !before.accepted) {
    const message = 'Key that refused deletions and rotations named cannot be looked at: not all of them got 401';
    throw undecided(before, message, stray?.clause ?? 'developer.keys.create');
  }
  const { key } = await targetKey(session);
  const now = await tryKey(session, key, { unsettled: () => false });
  judgeThat(tally, now.status !== 401, now, {
    message: 'Deletion or rotation that was refused with 401 took effect: the key that it named is refused',
    expected: describeAnswer(before),
    actual: describeAnswer(now),
  });
}

import { at, scalarText } from '../../common/json.ts';
import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { undecided } from '../engine/expect.ts';
import { judgePart, settle } from '../engine/parts.ts';
import { mainKey } from '../session/keys.ts';
import { intentOf } from '../session/ledger/ledger.ts';
import type { Session } from '../session/session.ts';
import {
  refusalsOfNearMisses,
  refusalsOfUnknownKeys,
  refusalsWithoutKey,
  refusedLabels,
} from '../shared/refusals/keys-refused.ts';
import { awaitEffects, judgeEffect, judgeLeftNothing, type MarkedWrite } from '../shared/refusals/no-effect.ts';
import { plainMark, refusedMark } from './calls/twins.ts';
import { dropKey } from './keys/creation.ts';
import { targetKey, targetKeyRead } from './keys/lending.ts';
import { keysPath } from './keys/run-key.ts';
import { tryKey } from './keys/ways.ts';

/** Writes, each with its module and the list that shows what it creates. */
export const shownWrites = [
  ['investor', 'POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['ads', 'POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['inbox', 'POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['content', 'POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
] as const;

/** A write that was refused with 401 changed nothing: no record was made, and no key made, deleted or rotated. */
export async function judgeRefusedWrites(session: Session): Promise<Outcome> {
  const tally = createTally();
  const [withoutKey, unknownKeys] = [await refusalsWithoutKey(session), await refusalsOfUnknownKeys(session)];
  const probes = [
    ...withoutKey.probes.map((one) => ({ ...one, clause: 'developer.auth.missing-key', label: refusedLabels.missing })),
    ...unknownKeys.probes.map((one) => ({
      ...one,
      clause: 'developer.auth.invalid-key',
      label: refusedLabels.invalid,
    })),
  ];
  /** The writes to an endpoint. Of those with a label, one that did not get 401 decides, if there is one. */
  const writesTo = (id: string): MarkedWrite[] =>
    [
      ...Map.groupBy(
        probes.filter(({ endpoint }) => endpoint.id === id),
        ({ label }) => label,
      ).values(),
    ].flatMap((all) => {
      const one = all.find(({ probe }) => probe.status !== 401) ?? all[0];
      return one === undefined ? [] : [{ ...one, endpoint: id, status: 401, words: refusedMark(session, one.label) }];
    });
  for (const [, endpoint, list] of shownWrites) {
    const witness = { list, twinWords: plainMark(session, mainKey(session)), reader: mainKey(session) };
    await judgePart(tally, async () => void (await judgeLeftNothing(session, tally, writesTo(endpoint), witness)));
  }
  await judgePart(tally, () => judgeKeysNotMade(session, tally, writesTo(`POST ${keysPath}`)));
  const changes = [`DELETE ${keysPath}/:id`, `POST ${keysPath}/:id/rotate`].flatMap(writesTo);
  await judgePart(tally, () => judgeKeyNotChanged(session, tally, changes));
  await settle(refusalsOfNearMisses(session));
  await settle((async () => dropKey(session, await targetKey(session)))());
  return tally.outcome();
}

/** The key list shows no key with the name in a refused request. If it does, that key is the run's to delete. */
async function judgeKeysNotMade(session: Session, tally: Tally, writes: readonly MarkedWrite[]): Promise<void> {
  const nameIn = ({ probe }: MarkedWrite): string | null =>
    scalarText(at(JSON.parse(probe.exchange.request.body ?? 'null'), '/name'));
  const { entry, tag } = (await targetKey(session)).record;
  const witness = { list: `GET ${keysPath}`, twinWords: tag, reader: mainKey(session) };
  const named = writes.flatMap((write) => {
    const words = nameIn(write);
    return words === null ? [] : [{ ...write, words }];
  });
  for (const { words } of await judgeLeftNothing(session, tally, named, witness)) {
    session.ledger.intend({ ...intentOf(entry), tag: words });
  }
}

/** The target key of refused deletions and rotations still works. Throws Inconclusive where not all of them got 401. */
async function judgeKeyNotChanged(session: Session, tally: Tally, writes: readonly MarkedWrite[]): Promise<void> {
  const unrefused = writes.find(({ probe }) => probe.status !== 401);
  const before = await targetKeyRead(session);
  if (unrefused !== undefined || !before.accepted) {
    const message = 'Cannot tell whether refused deletions and rotations of a key took effect: not all of them got 401';
    throw undecided(before, message, unrefused?.clause ?? 'developer.keys.create');
  }
  const { key } = await targetKey(session);
  await awaitEffects(session, writes);
  const now = await tryKey(session, key, { isOutdated: () => false });
  const how = `a key that worked before gets ${describeAnswer(now)}`;
  const endpoint = [...new Set(writes.map((write) => write.endpoint))].join(' or ');
  const effect = now.status === 401 ? { shownBy: now, how } : undefined;
  judgeEffect(tally, { endpoint, status: 401 }, { effect, unknown: null });
}

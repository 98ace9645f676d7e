import { at, scalarText } from '../../common/json.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { settle } from '../engine/check.ts';
import { describeAnswer } from '../engine/expect.ts';
import { intentOf } from '../session/ledger/ledger.ts';
import { mainKey, type Session } from '../session/session.ts';
import { refusalsOfInvalidKeys, refusalsWithoutKey, refusedLabels } from '../shared/refusals/keys-refused.ts';
import { judgeEffect, judgeLeftNothing, type MarkedWrite, settledRefusals } from '../shared/refusals/refusals.ts';
import { markOf, plainMark } from './calls/twins.ts';
import { dropKey, targetKey } from './keys/making.ts';
import { keysPath, tryKey } from './keys/run-key.ts';

/** Writes, each with its module and the list that shows what it creates. */
export const shownWrites = [
  ['investor', 'POST /api/v1/investor/updates', 'GET /api/v1/investor/updates'],
  ['ads', 'POST /api/v1/ads/audits', 'GET /api/v1/ads/audits'],
  ['inbox', 'POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills'],
  ['content', 'POST /api/v1/content/generate', 'GET /api/v1/content/posts'],
] as const;

/** What is to blame where a write was not refused. */
const blames = 'developer.auth.missing-key';

/** A write that was refused with 401 changed nothing: no record was made, and no key made, deleted or rotated. */
export async function judgeRefusedWrites(session: Session, tally: Tally): Promise<void> {
  const missing = await refusalsWithoutKey(session);
  const invalid = await refusalsOfInvalidKeys(session);
  const groups = [
    { label: refusedLabels.missing, probes: missing.probes },
    { label: refusedLabels.invalid, probes: invalid.flatMap(({ probes }) => probes) },
  ];
  /** The writes to an endpoint: of each group, which shares its words, one that did not get 401 decides. */
  const writesTo = (id: string): MarkedWrite[] =>
    groups.flatMap(({ label, probes }) => {
      const all = probes.flatMap(({ endpoint, probe }) => (endpoint.id === id ? [probe] : []));
      const probe = all.find(({ status }) => status !== 401) ?? all[0];
      return probe === undefined ? [] : [{ endpoint: id, words: markOf(session, label), probe }];
    });
  await tally.inTurn(shownWrites, async ([, endpoint, list]) => {
    const witness = { list, twinWords: plainMark(session, mainKey(session)), blames };
    await judgeLeftNothing(session, tally, writesTo(endpoint), witness);
  });
  // The key list shows no key with the name in a refused request. If it does, that key is the run's to delete.
  await tally.part(async () => {
    const { entry, tag } = (await targetKey(session)).record;
    const witness = { list: `GET ${keysPath}`, twinWords: tag, blames };
    const named = writesTo(`POST ${keysPath}`).flatMap((write) => {
      const words = scalarText(at(JSON.parse(write.probe.exchange.request.body ?? 'null'), '/name'));
      return words === null ? [] : [{ ...write, words }];
    });
    for (const { words } of await judgeLeftNothing(session, tally, named, witness)) {
      session.ledger.intend({ ...intentOf(entry), tag: words });
    }
  });
  // The target key of refused deletions and rotations still works.
  await tally.part(async () => {
    const writes = [`DELETE ${keysPath}/:id`, `POST ${keysPath}/:id/rotate`].flatMap(writesTo);
    const refused = await settledRefusals(session, writes, blames);
    const { key, firstRead } = await targetKey(session);
    if (refused.length < writes.length || !firstRead?.accepted) {
      const message = 'Cannot tell whether refused deletions and rotations of a key took effect: not all were refused';
      throw new Inconclusive({ message, blames: firstRead?.accepted ? blames : 'developer.keys.create' });
    }
    const now = await tryKey(session, key, { isOutdated: () => false });
    const how = `a key that worked before gets ${describeAnswer(now)}`;
    const endpoint = [...new Set(writes.map((write) => write.endpoint))].join(' or ');
    judgeEffect(tally, { endpoint, status: 401 }, now.status === 401 ? { shownBy: now, how } : null);
  });
  await settle(targetKey(session).then((key) => dropKey(session, key)));
}

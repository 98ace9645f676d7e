import type { Endpoint, Method } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import { findingOn } from '../../../engine/expect.ts';
import { judgeEach, judgePart } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import { begunAfter, type MayReuse } from '../../../records/list-reading.ts';
import { findInList, findInListUntil, type ListSearch } from '../../../records/list-search.ts';
import { showsAsOwn } from '../../../records/others.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey } from '../../../session/keys.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { neverIssuedKeys } from '../../../shared/refusals/never-issued.ts';
import { judgeEffect, notRefused, type RefusedWrite } from '../../../shared/refusals/no-effect.ts';
import type { Kind } from '../../kinds.ts';
import { type Deletable, kindOf, kinds, listing, type Readable, reading } from '../../kinds.ts';
import { missingIn } from '../../life/changed-fields.ts';
import { deletesOthersToo } from '../../life/collateral.ts';
import { standingRecord } from '../../life/standing.ts';
import { mainChange, mainRecord } from '../../life/story.ts';
import { assertCreated, type Created } from '../../records/creating.ts';
import { announcedDespiteRefusal } from './announced-refusals.ts';
import { callWithKey, type TriedCall } from './arrange.ts';
import { judgeRefusedDeletion, notShown } from './refused-deletions.ts';

/** A write that was refused with 401 or 403. */
interface TriedWrite extends TriedCall, RefusedWrite {
  readonly method: Method;
}

/**
 * Writes that were refused with 401 or 403 changed nothing: their words show nowhere where those of accepted ones do,
 * and the records that they should have deleted still exist. The writes are those that the clauses on refusals try.
 */
export const judgeRefusedWrites = (session: Session): Promise<Outcome> =>
  judgeEach(kinds, (tally, kind) => judgeKind(session, tally, kind));

async function judgeKind(session: Session, tally: Tally, kind: Kind): Promise<void> {
  const writes = workspaceEndpoints.filter((one) => kindOf(one) === kind && one.method !== 'GET');
  const refused = (await Promise.all(writes.map((endpoint) => refusedWrites(session, tally, endpoint)))).flat();
  if (refused.length === 0) {
    return;
  }
  const withMethod = (method: string): TriedWrite[] => refused.filter((write) => write.method === method);
  const reuse = begunAfter(session, ...refused.map(({ answer }) => answer));
  await judgeList(session, tally, kind, {
    reuse,
    creations: withMethod('POST'),
    deletion: withMethod('DELETE')[0],
  });
  if (withMethod('PATCH').length > 0) {
    await judgeView(session, tally, kind as Readable, { reuse, changes: withMethod('PATCH') });
  }
  if (kind === 'bookings' && !(await deletesOthersToo(session, kind))) {
    tally.judge(await announcedDespiteRefusal(session, refused));
  }
}

/** The refusals of a write without a key, with unknown keys, and with the limited key. */
async function refusedWrites(session: Session, tally: Tally, endpoint: Endpoint): Promise<TriedWrite[]> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const keys: readonly (readonly [ApiKey | null, string])[] = [
    [null, 'workspace.auth.missing-key'],
    ...neverIssuedKeys(session).map((key) => [key, 'workspace.auth.invalid-key'] as const),
    ...(limited === undefined ? [] : [[limited, 'workspace.auth.forbidden'] as const]),
  ];
  const refused: TriedWrite[] = [];
  for (const [key, clause] of keys) {
    await judgePart(tally, async () => {
      const call = await callWithKey(session, endpoint, key);
      if (call.answer.status === 401 || call.answer.status === 403) {
        refused.push({ ...call, endpoint: endpoint.id, method: endpoint.method, status: call.answer.status });
      } else if (key !== limited || !isSuccess(call.answer)) {
        tally.leaveOpen(notRefused(call.answer, '401 or 403', clause));
      }
    });
  }
  return refused;
}

interface ListEffects {
  readonly reuse: MayReuse;
  readonly creations: readonly TriedWrite[];
  readonly deletion: TriedWrite | undefined;
}

/** The list shows the record that should not have been deleted, and nothing that should not have been created. */
async function judgeList(
  session: Session,
  tally: Tally,
  kind: Kind,
  { reuse, creations, deletion }: ListEffects,
): Promise<void> {
  const record = kind === 'leads' ? await mainLead(session) : await (await standingRecord(session, kind)).current();
  const search = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
  for (const creation of creations) {
    judgeCreation(session, tally, kind, creation, search);
  }
  if (deletion !== undefined) {
    await judgeRefusedDeletion(session, tally, kind as Deletable, { deletion, record, search });
  }
}

const pagesOf = ({ first, last }: ListSearch): readonly Answer[] => [first, last];

function judgeCreation(session: Session, tally: Tally, kind: Kind, creation: TriedWrite, search: ListSearch): void {
  const { words } = creation;
  const shownBy = pagesOf(search).find((page) => words !== null && showsAsOwn(session, `/v1/${kind}`, page, words));
  if (shownBy !== undefined) {
    noteCreated(session, creation);
  }
  judgeEffect(tally, creation, {
    effect: shownBy && { shownBy, how: `${listing(kind)} shows ${words}` },
    unknown: search.isShown ? null : notShown(search.last, kind),
  });
}

/** What a refused create made is the run's: where the API cannot delete it, the ledger keeps it for the report. */
function noteCreated({ ledger }: Session, { words }: TriedWrite): void {
  for (const entry of ledger.all().filter(({ tag, lasting }) => tag === words && lasting)) {
    ledger.accept(entry);
  }
}

const mainLead = async (session: Session): Promise<Created> => assertCreated(await mainRecord(session, 'leads'));

/** The record shows no words of refused changes: in its row, if that shows accepted changes, or in its detail view. */
async function judgeView(
  session: Session,
  tally: Tally,
  kind: Readable,
  { reuse, changes }: { readonly reuse: MayReuse; readonly changes: readonly TriedWrite[] },
): Promise<void> {
  const { record, later, values } = await mainChange(session, kind);
  if (!isSuccess(later) || !mentions(later.json, record.tag)) {
    const message = `Cannot tell what refused changes leave behind: ${reading(kind)} does not contain the run's tag`;
    tally.leaveOpen(findingOn(later, { message, blames: endpointOf(reading(kind)).clause }));
    return;
  }
  const { row, last } = await findInList(session, record.collection, record, { reuse });
  const showsAcceptedChange = row !== undefined && missingIn({ json: row }, values).length === 0;
  const view = showsAcceptedChange ? last : await send(session, reading(kind), { id: record.id });
  const shown = showsAcceptedChange ? row : view.json;
  for (const change of changes) {
    const { words } = change;
    if (words !== null) {
      const how = `${view.exchange.endpoint} shows ${words}`;
      judgeEffect(tally, change, {
        effect: mentions(shown, words) ? { shownBy: view, how } : undefined,
        unknown: null,
      });
    }
  }
}

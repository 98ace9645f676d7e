import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { workspaceEndpoints } from '../../../../contract/workspace-endpoints.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Exchange } from '../../../../results/exchange.ts';
import type { Outcome, Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import { judgeEach, judgePart, resultOrNull } from '../../../engine/parts.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey } from '../../../session/keys.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { deletionsOf } from '../../../shared/clean-up/still-there.ts';
import { nounOf } from '../../../shared/collections.ts';
import { begunAfter, type MayReuse } from '../../../shared/lists/list-reading.ts';
import { findCreated, findInList, findInListUntil } from '../../../shared/lists/list-search.ts';
import { neverIssuedKeys } from '../../../shared/refusals/never-issued.ts';
import { missingIn } from '../changes/changes.ts';
import { cancelledTeller } from '../deletions/deletions.ts';
import { takesOthers } from '../deletions/taken-others.ts';
import { targetOf } from '../deletions/targets.ts';
import { announcedThough } from '../events/refused-announced.ts';
import { type Deletable, deleting, kindOf, kinds, listing, type Readable, reading } from '../kinds.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { showsBoth } from '../records/listed-together.ts';
import { mainChanged, mainRecord } from '../records/main-record.ts';
import { firstRecord } from '../records/records.ts';
import { sentWith, type Tried } from './arrange.ts';

/** A write that was refused. */
interface Refused extends Tried {
  readonly endpoint: Endpoint;
}

/**
 * Writes that were refused with 401 and 403 changed nothing: no words of theirs show where those of accepted ones do, and
 * what they were to delete still stands. The writes are those that the clauses on refusals try.
 */
export const judgeNoEffect = (session: Session): Promise<Outcome> =>
  judgeEach(kinds, (tally, kind) => judgeKind(session, tally, kind));

async function judgeKind(session: Session, tally: Tally, kind: Kind): Promise<void> {
  const writes = workspaceEndpoints.filter((one) => kindOf(one) === kind && one.method !== 'GET');
  const refused = (await Promise.all(writes.map((endpoint) => refusedOn(session, tally, endpoint)))).flat();
  const of = (method: string): Refused[] => refused.filter(({ endpoint }) => endpoint.method === method);
  if (refused.length === 0) {
    return;
  }
  const reuse = begunAfter(session, ...refused.map(({ answer }) => answer));
  await judgeList(session, tally, kind, { reuse, creations: of('POST'), deletions: of('DELETE') });
  if (of('PATCH').length > 0) {
    await judgeView(session, tally, kind as Readable, { reuse, changes: of('PATCH') });
  }
  if (kind === 'bookings' && !(await takesOthers(session, kind))) {
    tally.judge(await announcedThough(session, refused));
  }
}

/** The refusals of a write: without a key, with keys that were never issued, and with one that lacks permission. */
async function refusedOn(session: Session, tally: Tally, endpoint: Endpoint): Promise<Refused[]> {
  const limited = givenKey(session, 'WORKSPACE_LIMITED_API_KEY');
  const keys: readonly (readonly [ApiKey | null, string])[] = [
    [null, 'workspace.auth.missing-key'],
    ...neverIssuedKeys(session).map((key) => [key, 'workspace.auth.invalid-key'] as const),
    ...(limited === undefined ? [] : [[limited, 'workspace.auth.forbidden'] as const]),
  ];
  const refused: Refused[] = [];
  for (const [key, clause] of keys) {
    await judgePart(tally, async () => {
      const tried = await sentWith(session, endpoint, key);
      if (tried.answer.status === 401 || tried.answer.status === 403) {
        refused.push({ ...tried, endpoint });
      } else if (key !== limited || !isSuccess(tried.answer)) {
        tally.leaveOpen(notRefused(tried.answer, clause));
      }
    });
  }
  return refused;
}

const notRefused = (answer: Answer, blames: string): Finding =>
  findingOn(answer, {
    message: `Write was refused with neither 401 nor 403: ${describeAnswer(answer)}; what it leaves behind is unknown`,
    expected: '401 or 403',
    actual: describeAnswer(answer),
    blames,
  });

const tookEffect = (shown: Answer, { endpoint, answer }: Refused, how: string): Finding =>
  findingOn(shown, {
    message: `Write that was refused with ${answer.status} took effect: ${how} since ${endpoint.id}`,
    expected: 'no effect',
    actual: how,
    place: 'body',
  });

/** In the list stands what was to be deleted, and nothing of what was to be made. */
async function judgeList(
  session: Session,
  tally: Tally,
  kind: Kind,
  { reuse, creations, deletions }: { reuse: MayReuse; creations: readonly Refused[]; deletions: readonly Refused[] },
): Promise<void> {
  const record = kind === 'leads' ? await mainLead(session) : await (await targetOf(session, kind)).standing();
  const search = await findInListUntil(session, record, ({ isShown }) => isShown, { reuse });
  const pages = [search.first, search.last];
  for (const creation of creations) {
    const shown = pages.find(({ json }) => creation.words !== null && mentions(json, creation.words));
    if (shown !== undefined) {
      nameMade(session, creation);
      tally.judge(tookEffect(shown, creation, `${creation.words} is listed`));
    } else if (search.isShown) {
      tally.judge(null);
    } else {
      tally.leaveOpen(notShown(search.last, kind));
    }
  }
  const [deletion] = deletions;
  if (deletion === undefined) {
    return;
  }
  if (await takesOthers(session, kind)) {
    const message = `Whether a refused deletion of ${kind} took effect is unknown: an accepted one deletes others too`;
    tally.leaveOpen(findingOn(search.last, { message, blames: endpointOf(deleting(kind as Deletable)).clause }));
    return;
  }
  const crash = crashOn(session, record);
  if (crash !== undefined) {
    const message = `Whether a refused deletion of ${record.id} took effect is unknown: one that was not refused ended with ${crash.response?.status}`;
    tally.leaveOpen(findingOn({ exchange: crash }, { message, blames: 'workspace.errors.no-server-error' }));
  } else if (search.isShown) {
    const how = `${record.id} is cancelled`;
    const isCancelled = kind === 'bookings' && (await cancelledTeller(session))(search.row);
    tally.judge(isCancelled ? tookEffect(search.last, deletion, how) : null);
  } else if (
    search.isComplete &&
    !pages.some(({ json }) => mentions(json, record.tag)) &&
    (await wouldShow(session, kind as Deletable)) &&
    !(await isRead(session, kind, record))
  ) {
    tally.judge(tookEffect(search.last, deletion, `${record.id} is gone`));
  } else {
    tally.leaveOpen(notShown(search.last, kind));
  }
}

/** A deletion of a record that the deployment broke down over: it may have been done all the same. */
const crashOn = (session: Session, { id }: Created): Exchange | undefined =>
  deletionsOf(session, id).find(({ response }) => (response?.status ?? 0) >= 500);

/** What a refusal made is the run's, and stays where it cannot be deleted. */
function nameMade({ ledger }: Session, { words }: Refused): void {
  for (const entry of ledger.all().filter(({ tag, lasting }) => tag === words && lasting)) {
    ledger.accept(entry);
  }
}

/** Whether what no list shows is there all the same: of those that a call reads, it tells. */
const isRead = async (session: Session, kind: Kind, { id }: Created): Promise<boolean> =>
  kind === 'agents' && isSuccess(await send(session, reading('agents'), { id }));

const mainLead = async (session: Session): Promise<Created> => assertCreated(await mainRecord(session, 'leads'));

const notShown = (answer: Answer, kind: Kind): Finding =>
  findingOn(answer, {
    message: `What refused writes leave behind is unknown: ${listing(kind)} does not show the ${nounOf(kind)} that an accepted one made`,
    blames: endpointOf(listing(kind)).clause,
  });

/** Whether what is missing from a list is gone: the list shows what was made. */
async function wouldShow(session: Session, kind: Deletable): Promise<boolean> {
  if (kind !== 'agents') {
    return showsBoth(session, kind);
  }
  const first = assertCreated(await firstRecord(session, kind));
  return (await resultOrNull(findCreated(session, first)))?.isShown === true;
}

/** In the record stands nothing of what was to be changed: its row or, where that does not show the accepted change, its detail view. */
async function judgeView(
  session: Session,
  tally: Tally,
  kind: Readable,
  { reuse, changes }: { readonly reuse: MayReuse; readonly changes: readonly Refused[] },
): Promise<void> {
  const { record, later, values } = await mainChanged(session, kind);
  if (!isSuccess(later) || !mentions(later.json, record.tag)) {
    const message = `What refused changes leave behind is unknown: ${reading(kind)} does not show the run's words`;
    tally.leaveOpen(findingOn(later, { message, blames: endpointOf(reading(kind)).clause }));
    return;
  }
  const { row, last } = await findInList(session, record.collection, record, { reuse });
  // What a refused change would replace stands there.
  const isAsBefore = row !== undefined && missingIn({ json: row }, values).length === 0;
  const view = isAsBefore ? last : await send(session, reading(kind), { id: record.id });
  const shown = isAsBefore ? row : view.json;
  for (const one of changes.filter(({ words }) => words !== null)) {
    tally.judge(mentions(shown, one.words ?? '') ? tookEffect(view, one, `${one.words} shows in it`) : null);
  }
}

import { at } from '../../../../common/json.ts';
import { findMainList } from '../../../../common/main-list.ts';
import { lettersOf } from '../../../../common/words.ts';
import { fittingValues } from '../../../../fixtures/fitting-values.ts';
import { slotAt } from '../../../../fixtures/slots.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { type Change, changed, type ValuesOf } from '../../../shared/complaints/body-changes.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import { changesFor } from '../../../shared/complaints/inner-changes.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { read } from '../../../shared/reads.ts';
import { acceptedMark, type Body, bodyFor, firstAccepted, type Tried } from './bodies.ts';

/** Bodies that are tried for a call whose body the document does not show. */
const mostTries = 10;

/** How a body is learnt. */
interface Lesson {
  /** Sends a body. Default: with the main key. */
  readonly send?: (body: Body) => Promise<Tried>;
  /** Only fields of these names are changed, and none is added. Default: any. */
  readonly among?: readonly string[];
}

/** A POST whose body the document does not show: the user's body, or a guessed one, changed as the refusals ask. */
export async function learntBody(session: Session, endpoint: string): Promise<Tried> {
  return learnFrom(session, endpoint, await firstAccepted(session, endpoint, [bodyFor(session, endpoint)]));
}

/**
 * Changes a refused body as the refusals ask, until it is taken. Where none is, it gives the first, of which the deployment's
 * words tell the reader most. A user's own body is not changed.
 */
export async function learnFrom(
  session: Session,
  endpoint: string,
  first: Tried,
  { among, send = (body) => firstAccepted(session, endpoint, [body]) }: Lesson = {},
): Promise<Tried> {
  if (!refusesBody(first.answer) || endpoint in session.userBodies) {
    return first;
  }
  const valuesOf = valuesWith(session, await campaignIds(session));
  const earlier: Change[] = [];
  let last = first;
  for (let tries = 1; refusesBody(last.answer) && tries < mostTries; tries += 1) {
    const fields = last.body as Body;
    const { text, json } = last.answer;
    const complaint = complaintOf({ text, json: at(json, '/error') ?? json }, fields);
    const changes = changesFor(complaint.fields, { complaint, fields, earlier, valuesOf }).filter(
      (change) => among === undefined || isAmong(change, among),
    );
    if (changes.length === 0) {
      break;
    }
    earlier.push(...changes);
    last = await send(changed(fields, changes, valuesOf));
  }
  return refusesBody(last.answer) ? first : last;
}

const isAmong = (change: Change, names: readonly string[]): boolean =>
  'within' in change ? names.includes(change.within) : 'set' in change && names.includes(change.set);

/** What an undocumented body may refer to: campaigns are the records that the document shows the ids of. */
async function campaignIds(session: Session): Promise<readonly unknown[]> {
  const answer = await resultOrNull(read(session, 'GET /api/v1/ads/campaigns'));
  return findMainList(answer?.payload, 'campaign')?.rows.flatMap(({ id }) => id ?? []) ?? [];
}

const valuesWith =
  (session: Session, campaigns: readonly unknown[]): ValuesOf =>
  (field, says) => {
    const name = lettersOf(field);
    const ids = /^campaigns?(ids?)?$/.test(name) ? [campaigns.slice(0, 1), ...campaigns.slice(0, 1)] : [];
    const usual = name.endsWith('s') ? ids : ids.toReversed();
    const mark = acceptedMark(session);
    const ingredients = {
      text: `${mark}: made by a conformance run`,
      email: `${mark}@example.com`,
      at: slotAt(session.openedAt, 0).start,
    };
    return says === undefined ? usual : fittingValues(field, says, usual, ingredients);
  };

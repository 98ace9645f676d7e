import { at } from '../../../common/json.ts';
import { findMainList } from '../../../common/main-list.ts';
import { fittingValues } from '../../../fixtures/fitting-values.ts';
import { slotAt } from '../../../fixtures/slots.ts';
import { resultOrNull } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { type Change, changed } from '../../shared/amend.ts';
import { complaintOf, refusesBody } from '../../shared/complaint.ts';
import { changesFor } from '../../shared/inner-changes.ts';
import { read } from '../../shared/reads.ts';
import { acceptedMark, type Body, bodyFor, firstAccepted, type Tried } from './bodies.ts';

/** Bodies that are tried for a call whose body the document does not show. */
const mostTries = 10;

/**
 * A POST whose body the document does not show: the user's body, or a guessed one, changed as the refusals ask. Where none is
 * taken it gives the first, of which the deployment's words tell the reader most.
 */
export async function learntBody(session: Session, endpoint: string): Promise<Tried> {
  const first = await firstAccepted(session, endpoint, [bodyFor(session, endpoint)]);
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
    const changes = changesFor(complaint.fields, { complaint, fields, earlier, valuesOf });
    if (changes.length === 0) {
      break;
    }
    earlier.push(...changes);
    last = await firstAccepted(session, endpoint, [changed(fields, changes, valuesOf)]);
  }
  return refusesBody(last.answer) ? first : last;
}

/** What an undocumented body may refer to: campaigns are the records that the document shows the ids of. */
async function campaignIds(session: Session): Promise<readonly unknown[]> {
  const answer = await resultOrNull(read(session, 'GET /api/v1/ads/campaigns'));
  return findMainList(at(answer?.json, '/data'), 'campaign')?.rows.flatMap(({ id }) => id ?? []) ?? [];
}

const valuesWith =
  (session: Session, campaigns: readonly unknown[]) =>
  (field: string, says?: string): readonly unknown[] => {
    const name = field.replace(/[^a-z]/gi, '').toLowerCase();
    const usual = /^campaigns?(ids?)?$/.test(name) ? [campaigns.slice(0, 1), ...campaigns.slice(0, 1)] : [];
    const mark = acceptedMark(session);
    const ingredients = {
      text: `${mark}: made by a conformance run`,
      email: `${mark}@example.com`,
      at: slotAt(session.openedAt, 0).start,
    };
    return says === undefined ? usual : fittingValues(field, says, usual, ingredients);
  };

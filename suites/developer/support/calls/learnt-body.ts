import { at } from '../../../../common/json.ts';
import { findMainList } from '../../../../common/main-list.ts';
import { lettersOf } from '../../../../common/words.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { fittingValues } from '../../../../fixtures/fitting-values.ts';
import { slotAt } from '../../../../fixtures/slots.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Session } from '../../../session/session.ts';
import { nounOf } from '../../../shared/collections.ts';
import { type Change, changed, isSet } from '../../../shared/complaints/body-changes.ts';
import { type Complaint, complaintOf } from '../../../shared/complaints/complaint.ts';
import { changesFor } from '../../../shared/complaints/inner-changes.ts';
import type { ValuesOf } from '../../../shared/complaints/likely-values.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { shownNames } from '../../../shared/complaints/shown-values.ts';
import { isWrapperName, plainWrapper, type Wrapper, wrapped } from '../../../shared/complaints/wrapper.ts';
import { shownRows } from '../../../shared/lists/shown-rows.ts';
import { read } from '../../../shared/reads.ts';
import { acceptedMark, type Body, bodyFor, type TriedBody } from '../bodies/bodies.ts';
import { firstAccepted } from './first-accepted.ts';

/** Most bodies that are sent to learn the body of one call. */
const mostTries = 10;

/** How a body is learnt. */
interface Learning {
  /** Sends a body. Default: with the main key. */
  readonly send?: (body: Body) => Promise<TriedBody>;
  /** The fields that may be changed or added. Default: all. */
  readonly among?: readonly string[];
}

/** Sends a POST whose body is not documented: with the user's, or with a guessed one, changed as refusals ask. */
export async function learntBody(session: Session, endpoint: string): Promise<TriedBody> {
  return learnFrom(session, endpoint, await firstAccepted(session, endpoint, [bodyFor(session, endpoint)]));
}

/** Changes a refused body as the refusals ask, unless it is the user's. Where that does not help, gives the first. */
export async function learnFrom(
  session: Session,
  endpoint: string,
  first: TriedBody,
  { among, send = (body) => firstAccepted(session, endpoint, [body]) }: Learning = {},
): Promise<TriedBody> {
  if (!refusesBody(first.answer) || endpoint in session.userBodies) {
    return first;
  }
  const valuesOf = valuesWith(session, await campaignIds(session));
  const rows = await shownRows(session, endpointOf(endpoint).path);
  const noun = nounOf(endpointOf(endpoint).path);
  const earlier: Change[] = [];
  let last = first;
  let fields = first.body as Body;
  let wrapper: Wrapper | null = null;
  // The refusal that asked for the wrapper, as long as only that was changed since.
  let asking: Complaint | null = null;
  let mayWrap = among === undefined;
  for (let tries = 1; refusesBody(last.answer) && tries < mostTries; tries += 1) {
    const { text, json, exchange } = last.answer;
    const known = { shown: shownNames(rows), wrapper: wrapper?.name };
    const came = complaintOf({ text, json: at(json, '/error') ?? json, exchange }, fields, known);
    const missing = came.fields.find((name) => isWrapperName(noun, name) && !(name in fields));
    if (missing !== undefined && mayWrap) {
      [wrapper, asking, mayWrap] = [plainWrapper(missing), came, false];
    } else {
      // Where it hides what was right before, it is a field beside the others.
      const isBeside = asking !== null && came.fields.some((name) => isSet(name, earlier));
      const complaint = isBeside && asking !== null ? asking : came;
      wrapper = isBeside ? null : wrapper;
      asking = null;
      const changes = changesFor(complaint.fields, { complaint, fields, earlier, valuesOf, rows }).filter(
        (change) => among === undefined || isAmong(change, among),
      );
      if (changes.length === 0) {
        break;
      }
      earlier.push(...changes);
      fields = changed(fields, changes, valuesOf);
    }
    last = await send(wrapped(fields, wrapper));
  }
  if (!refusesBody(last.answer)) {
    return last;
  }
  return last === first ? first : { ...first, furthest: last.answer };
}

const isAmong = (change: Change, names: readonly string[]): boolean =>
  'within' in change ? names.includes(change.within) : 'set' in change && names.includes(change.set);

/** The ids of campaigns, to which undocumented bodies may refer: the document shows those. */
async function campaignIds(session: Session): Promise<readonly unknown[]> {
  const answer = await resultOrNull(read(session, 'GET /api/v1/ads/campaigns'));
  return findMainList(answer?.payload, 'campaign')?.rows.flatMap(({ id }) => id ?? []) ?? [];
}

/** Likely values of a field: for one named after campaigns, a list of one id, or that id. */
const valuesWith =
  (session: Session, campaigns: readonly unknown[]): ValuesOf =>
  (field, says) => {
    const name = lettersOf(field);
    const ids = campaigns.slice(0, 1);
    const values = /^campaigns?(ids?)?$/.test(name) ? [ids, ...ids] : [];
    const usual = name.endsWith('s') ? values : values.toReversed();
    const mark = acceptedMark(session);
    const ingredients = {
      text: `${mark}: made by a conformance run`,
      email: `${mark}@example.com`,
      at: slotAt(session.openedAt, 0).start,
    };
    return says === undefined ? usual : fittingValues(field, says, usual, ingredients);
  };

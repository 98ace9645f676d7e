import type { JsonObject } from '../../../../common/json.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { slotAt, soonestPlan } from '../../../../fixtures/slots.ts';
import type { Body, Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer } from '../../../engine/describe-answer.ts';
import { undecided } from '../../../engine/expect.ts';
import { type Answer, isServerFailure, isSuccess } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import type { Wrapper } from '../../../shared/complaints/wrapper.ts';
import { shownRows } from '../../../shared/lists/shown-rows.ts';
import { type Attempt as AnyAttempt, type Posted as AnyPosted, post as postRecord } from '../../../shared/records.ts';
import { creating, pathOf } from '../kinds.ts';
import { calendar } from './booking-slots.ts';
import {
  type Composed,
  type Composing,
  compose,
  contextOf,
  type Extra,
  placeholderIds,
  type References,
} from './compose.ts';
import { firstRecipe, isUrl, type Recipe, revisions } from './recipes.ts';

/** What is known of a create besides its answer. */
interface Sent {
  readonly kind: Kind;
  /** The fields that were sent, without their wrapper. */
  readonly fields: Body;
  /** The one field that held them; null: none did. */
  readonly wrapper: Wrapper | null;
  /** Composes a body like it for another record, with words, addresses and a time of its own. */
  readonly another: () => Promise<Composed>;
  /** Where no body is accepted: the refusal of the one that was changed the furthest as refusals ask. */
  readonly furthest?: Answer;
}

/** A create that was answered. Whose ids the answer shows is not found out yet. */
export type Posted = Sent & Omit<AnyPosted, 'proven'> & { readonly proven: () => Promise<Attempt> };

/** A create, and what came of it. */
export type Attempt = Sent & AnyAttempt;

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/**
 * How many bodies in vain are tried for a kind: more for bookings, which must suit a calendar too. A body whose refusal
 * names other fields than before is not in vain, since some deployments name one field at a time.
 */
const mostIdleTries = (kind: Kind): number => (kind === 'bookings' ? 14 : 10);
/** Most bodies that are tried for a kind. */
const mostTries = 24;

/** Whether a create was refused for its body; a booking may be refused for its time as well. */
const isRefused = (kind: Kind, answer: Answer): boolean =>
  refusesBody(answer) || (kind === 'bookings' && answer.status === 409);

/** Creates a record as `post` does, and finds out its id. */
export const create = async (...args: Parameters<typeof post>): Promise<Attempt> => (await post(...args)).proven();

/**
 * Sends a create with the main key: with the user's own body where BODIES has one, otherwise with a plausible one. The
 * first create of a kind finds out which body is accepted; where none is, the later ones share its answer. Throws
 * Skipped where the settings forbid writes.
 */
export async function post(session: Session, kind: Kind, extra: Extra, references: References): Promise<Posted> {
  const learnt = await learnBody(session, kind, extra, references);
  if (learnt.extra === extra || learnt.method === null) {
    return learnt.posted;
  }
  const composing = { kind, method: learnt.method, extra, references };
  const posted = await postComposed(session, composing);
  return kind === 'bookings' && isRefused(kind, posted.answer) ? postOtherwise(session, composing, posted) : posted;
}

/** Sends a refused booking at other times, and with another lead, until it is accepted. Otherwise gives the first. */
async function postOtherwise(session: Session, composing: Composing, refused: Posted): Promise<Posted> {
  const { method } = composing;
  const { fields, isAboutTime } = complaintOf(refused.answer);
  const isAboutLead = fields.some((name) => /lead|contact|customer|client/i.test(name));
  const alternatives: Composing[] = isAboutLead ? [] : [composing];
  if (isAboutTime && method !== 'own') {
    // The calendar may end before the time that was sent.
    alternatives.push({ ...composing, method: { ...method, plan: soonestPlan } });
  }
  alternatives.push({ ...composing, ownLead: true });
  for (const alternative of alternatives) {
    const posted = await postComposed(session, alternative);
    if (!isRefused(composing.kind, posted.answer)) {
      if (alternative.method !== 'own' && alternative.method !== method && isSuccess(posted.answer)) {
        (await calendar(session)).usePlan(alternative.method.plan);
      }
      return posted;
    }
  }
  return refused;
}

/** How records of a kind are created, and the create that showed it. */
interface LearntBody {
  /** null: no body is accepted. */
  readonly method: Recipe | 'own' | null;
  readonly posted: Posted;
  /** What it was made with: the record belongs to whoever asked with that. */
  readonly extra: Extra;
}

const learnBody = stepFor(
  (kind: Kind, _extra: Extra, _references: References) => kind,
  async (session, kind, extra, references): Promise<LearntBody> => {
    if (session.userBodies[creating(kind)] !== undefined) {
      const posted = await postComposed(session, { kind, method: 'own', extra, references });
      return { method: isSuccess(posted.answer) ? 'own' : null, posted, extra };
    }
    const seen = new Set<string>();
    const complaints = new Set<string>();
    let recipe = firstRecipe;
    let others: readonly Recipe[] = [];
    let first: Posted | undefined;
    let furthest: Furthest = { changes: 0 };
    let rows: readonly JsonObject[] | undefined;
    for (;;) {
      seen.add(JSON.stringify(recipe));
      const posted = await postComposed(session, { kind, method: recipe, extra, references });
      first ??= posted;
      furthest = recipe.changes.length > furthest.changes ? { changes: recipe.changes.length, posted } : furthest;
      if (!isRefused(kind, posted.answer)) {
        const isAccepted = isSuccess(posted.answer) || isServerFailure(posted.answer);
        return { method: isAccepted ? recipe : null, posted, extra };
      }
      complaints.add(complaintOf(posted.answer, posted.fields).fields.join());
      const idleTries = seen.size - complaints.size + 1;
      rows ??= await shownRows(session, pathOf(kind));
      const candidates = [...revisionsOf(session, posted, { recipe, extra, rows }), ...others];
      const [next, ...rest] = candidates.filter((candidate) => !seen.has(JSON.stringify(candidate)));
      if (next === undefined || idleTries >= mostIdleTries(kind) || seen.size === mostTries) {
        // The first refusal is of the likeliest body: a user learns most from it.
        return { method: null, posted: withFurthest(first, furthest), extra };
      }
      recipe = next;
      others = rest;
    }
  },
);

/** The create whose body was changed the furthest; without one, none was changed. */
interface Furthest {
  /** How many changes were made. */
  readonly changes: number;
  readonly posted?: Posted;
}

function withFurthest(first: Posted, { posted }: Furthest): Posted {
  return posted === undefined
    ? first
    : {
        ...first,
        furthest: posted.answer,
        proven: async () => ({ ...(await first.proven()), furthest: posted.answer }),
      };
}

interface Tried {
  readonly recipe: Recipe;
  readonly extra: Extra;
  readonly rows: readonly JsonObject[];
}

function revisionsOf(session: Session, { kind, tag, answer, fields }: Posted, { recipe, extra, rows }: Tried) {
  const slot = slotAt(session.openedAt, 0, recipe.plan);
  const context = { ...contextOf(session, extra), tag, number: 0, slot, ...placeholderIds };
  return revisions(kind, recipe, { context, answer, sent: fields, rows });
}

/** Sends a create, and once more after a 5xx or no answer; not of a webhook, since two would share a URL. */
async function postComposed(session: Session, composing: Composing): Promise<Posted> {
  const posted = await postOnce(session, composing);
  const isRepeated = isServerFailure(posted.answer) && composing.kind !== 'webhooks';
  return isRepeated ? postOnce(session, composing) : posted;
}

async function postOnce(session: Session, composing: Composing): Promise<Posted> {
  const { kind, method, references } = composing;
  const { tag, body, fields } = await compose(session, composing);
  const { confirmedRecord, companion } = references;
  const posted = await postRecord(session, pathOf(kind), { tag, body, confirmedRecord, companion });
  if (kind === 'bookings' && isRefused(kind, posted.answer)) {
    (await calendar(session)).noteRefusal(posted.answer, body);
  }
  const wrapper = method === 'own' ? null : method.wrapper;
  const sent: Sent = { kind, fields, wrapper, another: () => compose(session, composing) };
  return { ...posted, ...sent, proven: async () => ({ ...(await posted.proven()), ...sent }) };
}

/** The record that a create made. Throws Inconclusive, with the clause to blame, where it made none. */
export function assertCreated(attempt: Attempt): Created {
  const { id } = attempt;
  if (id === undefined) {
    throw notCreated(attempt);
  }
  return { ...attempt, id };
}

/** Why a create whose body was refused decides nothing, and what would help. */
export function refusedCreate({ kind, answer, fields, furthest }: Attempt): Inconclusive {
  const isUrlRefused = complaintOf(answer, fields).fields.some((name) => isUrl(fields[name]));
  return kind === 'webhooks' && isUrlRefused
    ? bodyRefused(creating(kind), answer, { advice: urlAdvice, furthest })
    : bodyRefused(creating(kind), answer, { furthest });
}

const urlAdvice = 'Set WEBHOOK_PUBLIC_URL to a URL that the deployment accepts, such as one with https://';

/** Why there is no record: in the deployment's own words and, where the body was guessed, with what would decide it. */
function notCreated(attempt: Attempt): Inconclusive {
  const { kind, answer } = attempt;
  const endpoint = creating(kind);
  if (refusesBody(answer)) {
    return refusedCreate(attempt);
  }
  const why = isSuccess(answer) ? 'nothing shows the id of what was created' : describeAnswer(answer);
  return undecided(answer, `${endpoint} creates nothing that can be used: ${why}`, endpointOf(endpoint).clause);
}

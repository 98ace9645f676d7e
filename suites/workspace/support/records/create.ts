import { endpointOf } from '../../../../contract/endpoints.ts';
import { slotAt, soonestPlan } from '../../../../fixtures/slots.ts';
import type { Body, Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, undecided } from '../../../engine/expect.ts';
import { type Answer, isSuccess, mayBeAccident } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import { bodyRefused, refusesBody } from '../../../shared/complaints/refused-body.ts';
import { type Attempt as AnyAttempt, type Posted as AnyPosted, post as postRecord } from '../../../shared/records.ts';
import { creating, pathOf } from '../kinds.ts';
import { type Composed, type Composing, compose, contextOf, type Extra, type References, someIds } from './compose.ts';
import { firstRecipe, type Recipe, revisions, type Wrap } from './guess.ts';
import { calendar } from './slots.ts';

/** What is known of a create besides its answer. */
interface Sent {
  readonly kind: Kind;
  /** The fields that were sent, without their wrapper. */
  readonly fields: Body;
  /** The one field that held them; null: none did. */
  readonly wrap: Wrap | null;
  /** A body like it for another record: with words, addresses and a time of its own. */
  readonly another: () => Promise<Composed>;
}

/** A create that was answered: nobody has asked yet whose id it is that the answer shows. */
export type Posted = Sent & Omit<AnyPosted, 'proven'> & { readonly proven: () => Promise<Attempt> };

/** A create, and what came of it. */
export type Attempt = Sent & AnyAttempt;

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/**
 * How many bodies are tried for one kind of record before giving up: a booking has to suit a calendar too. What is refused for another
 * field each time comes nearer: some name one at a time.
 */
const mostTries = (kind: Kind): number => (kind === 'bookings' ? 14 : 10);
const mostSteps = 24;

/** A body, or a time that does not suit what is there already. */
const refusesBooking = (answer: Answer): boolean => refusesBody(answer) || answer.status === 409;

/** Creates a record as `post` does, and finds out its id. */
export const create = async (...args: Parameters<typeof post>): Promise<Attempt> => (await post(...args)).proven();

/**
 * Sends a create with full permission: the user's own body where BODIES has one, else a plausible one. The first create
 * of a kind finds out which body is taken; where none is, the later ones share its answer. Throws Skipped where the
 * settings forbid writing.
 */
export async function post(session: Session, kind: Kind, extra: Extra, references: References): Promise<Posted> {
  const lesson = await lessonOf(session, kind, extra, references);
  if (lesson.extra === extra || lesson.recipe === null) {
    return lesson.posted;
  }
  const composing = { kind, method: lesson.recipe, extra, references };
  const posted = await postWith(session, composing);
  return kind === 'bookings' && refusesBooking(posted.answer) ? anotherTime(session, composing, posted) : posted;
}

/** What one booking was refused for, the time or the lead that has one already, may not stand against another. */
async function anotherTime(session: Session, composing: Composing, refused: Posted): Promise<Posted> {
  const { fields, ofTime } = complaintOf(refused.answer);
  const isAboutLead = fields.some((name) => /lead|contact|customer|client/i.test(name));
  const others: readonly Composing[] = [
    ...(isAboutLead ? [] : [composing]),
    // A calendar may have ended since.
    ...(ofTime && composing.method !== 'own'
      ? [{ ...composing, method: { ...composing.method, plan: soonestPlan } }]
      : []),
    { ...composing, ownLead: true },
  ];
  for (const other of others) {
    const posted = await postWith(session, other);
    if (!refusesBooking(posted.answer)) {
      if (other.method !== 'own' && other.method !== composing.method && isSuccess(posted.answer)) {
        (await calendar(session)).suits(other.method.plan);
      }
      return posted;
    }
  }
  return refused;
}

/** How records of a kind are created, and the create that showed it. */
interface Lesson {
  /** null: no body is taken. */
  readonly recipe: Recipe | 'own' | null;
  readonly posted: Posted;
  /** What it was made with: it is the record of whoever asked for that. */
  readonly extra: Extra;
}

const lessonOf = stepFor(
  (kind: Kind, _extra: Extra, _references: References) => kind,
  async (session, kind, extra, references): Promise<Lesson> => {
    if (session.userBodies[creating(kind)] !== undefined) {
      const posted = await postWith(session, { kind, method: 'own', extra, references });
      return { recipe: isSuccess(posted.answer) ? 'own' : null, posted, extra };
    }
    const seen = new Set<string>();
    const complaints = new Set<string>();
    let first: Posted | undefined;
    for (let [recipe, others]: [Recipe, readonly Recipe[]] = [firstRecipe, []]; ; ) {
      seen.add(JSON.stringify(recipe));
      const posted = await postWith(session, { kind, method: recipe, extra, references });
      first ??= posted;
      complaints.add(complaintOf(posted.answer, posted.fields).fields.join());
      const idle = seen.size - complaints.size + 1;
      const asked = isRefused(kind, posted.answer) ? [...revisionsOf(session, posted, recipe, extra), ...others] : [];
      const [next, ...rest] = asked.filter((one) => !seen.has(JSON.stringify(one)));
      if (next === undefined || idle >= mostTries(kind) || seen.size === mostSteps) {
        // The first complaint is about the likeliest body: the user learns most from it.
        const isTaken = isSuccess(posted.answer) || mayBeAccident(posted.answer);
        const told = isRefused(kind, posted.answer) ? first : posted;
        return { recipe: isTaken ? recipe : null, posted: told, extra };
      }
      [recipe, others] = [next, rest];
    }
  },
);

const isRefused = (kind: Kind, answer: Answer): boolean =>
  kind === 'bookings' ? refusesBooking(answer) : refusesBody(answer);

function revisionsOf(session: Session, { kind, tag, answer }: Posted, recipe: Recipe, extra: Extra): readonly Recipe[] {
  const slot = slotAt(session.openedAt, 0, recipe.plan);
  return revisions(kind, recipe, { ...contextOf(session, extra), tag, number: 0, slot, ...someIds }, answer);
}

/** After what may be an accident, once more with other words. Of webhooks nobody would know whose deliveries come to a URL then. */
async function postWith(session: Session, composing: Composing): Promise<Posted> {
  const posted = await postOnce(session, composing);
  const isAgain = mayBeAccident(posted.answer) && composing.kind !== 'webhooks';
  return isAgain ? postOnce(session, composing) : posted;
}

async function postOnce(session: Session, composing: Composing): Promise<Posted> {
  const { kind, method, references } = composing;
  const { tag, body, fields } = await compose(session, composing);
  const { exemplar, companion } = references;
  const posted = await postRecord(session, pathOf(kind), { tag, body, exemplar, companion });
  if (kind === 'bookings' && refusesBooking(posted.answer)) {
    (await calendar(session)).refused(posted.answer, body);
  }
  const wrap = method === 'own' ? null : method.wrap;
  const sent: Sent = { kind, fields, wrap, another: () => compose(session, composing) };
  return { ...posted, ...sent, proven: async () => ({ ...(await posted.proven()), ...sent }) };
}

/** The record, for a clause that only needs one. Throws Inconclusive where it could not be made, naming the clause to blame. */
export function assertCreated(attempt: Attempt): Created {
  const { id } = attempt;
  if (id === undefined) {
    throw notCreated(attempt);
  }
  return { ...attempt, id };
}

/** Why there is no record: the deployment's own words and, where its body was guessed, what would decide it. */
function notCreated({ kind, answer }: Attempt): Inconclusive {
  const endpoint = creating(kind);
  if (refusesBody(answer)) {
    return bodyRefused(endpoint, answer);
  }
  const why = isSuccess(answer) ? 'nothing shows the id of what was made' : describeAnswer(answer);
  return undecided(answer, `${endpoint} creates nothing that can be used: ${why}`, endpointOf(endpoint).clause);
}

import { endpointOf } from '../../../contract/endpoints.ts';
import type { Body, BodyContext, Kind } from '../../../fixtures/workspace-bodies.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import { fillBody } from '../../../settings/bodies-file.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { type Attempt as AnyAttempt, createRecord } from '../../shared/records.ts';
import { asksForEvents, bodyOf, firstRecipe, type Recipe, revisions } from './guess.ts';
import { creating, pathOf } from './kinds.ts';

/** A create, and what came of it. */
export interface Attempt extends AnyAttempt {
  readonly kind: Kind;
  /** The fields that were sent, without their wrapper. */
  readonly fields: Body;
  /** The one field that held them; null: none did. */
  readonly wrap: string | null;
}

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/** What a record holds besides its own words. */
export type Extra = Pick<BodyContext, 'url' | 'secret'> & {
  /** null: the body names none. */
  readonly events?: readonly string[] | null;
};

/** Makes the records that a body refers to, as far as it has room for them. */
export type References = (wanted: {
  agent: boolean;
  lead: boolean;
}) => Promise<Pick<BodyContext, 'agentId' | 'leadId'>>;

/** How many bodies are tried for one kind of record before giving up. */
const mostTries = 8;

/** Statuses with which deployments refuse a body; the document names the first alone. */
export const refusesBody = ({ status }: Pick<Answer, 'status'>): boolean => status === 400 || status === 422;

/**
 * Creates a record with full permission: the user's own body where BODIES has one, else a plausible one. The first create
 * of a kind finds out which body is taken; where none is, the later ones share its answer. Throws Skipped where the
 * settings forbid writing.
 */
export async function create(session: Session, kind: Kind, extra: Extra, references: References): Promise<Attempt> {
  const lesson = await lessonOf(session, kind, extra, references);
  return lesson.extra === extra || lesson.recipe === null
    ? lesson.attempt
    : attemptWith(session, kind, lesson.recipe, extra, references);
}

/** How records of a kind are created, and the attempt that showed it. */
interface Lesson {
  /** null: no body is taken. */
  readonly recipe: Recipe | 'own' | null;
  readonly attempt: Attempt;
  /** What the attempt was made with: it is the record of whoever asked for that. */
  readonly extra: Extra;
}

const lessonOf = stepFor(
  (kind: Kind, _extra: Extra, _references: References) => kind,
  async (session, kind, extra, references): Promise<Lesson> => {
    if (session.userBodies[creating(kind)] !== undefined) {
      const attempt = await attemptWith(session, kind, 'own', extra, references);
      return { recipe: isSuccess(attempt.answer) ? 'own' : null, attempt, extra };
    }
    const seen = new Set<string>();
    for (let [recipe, others]: [Recipe, readonly Recipe[]] = [firstRecipe, []]; ; ) {
      seen.add(JSON.stringify(recipe));
      const attempt = await attemptWith(session, kind, recipe, extra, references);
      const asking = { ...contextOf(session, extra), tag: attempt.tag, number: 0, ...someIds };
      const asked = refusesBody(attempt.answer) ? [...revisions(kind, recipe, asking, attempt.answer), ...others] : [];
      const [next, ...rest] = asked.filter((one) => !seen.has(JSON.stringify(one)));
      if (next === undefined || seen.size === mostTries) {
        return { recipe: isSuccess(attempt.answer) ? recipe : null, attempt, extra };
      }
      [recipe, others] = [next, rest];
    }
  },
);

async function attemptWith(
  session: Session,
  kind: Kind,
  recipe: Recipe | 'own',
  extra: Extra,
  references: References,
): Promise<Attempt> {
  const { tag: words, number } = session.nextRecord();
  // A webhook may have no field for words; the last part of its URL is its own.
  const tag = extra.url === undefined ? words : (extra.url.split('/').at(-1) ?? words);
  if (recipe === 'own') {
    const body = fillBody(session.userBodies[creating(kind)], {
      run: words,
      ...(extra.url === undefined ? {} : { webhook_url: extra.url }),
      ...(extra.secret === undefined ? {} : { webhook_secret: extra.secret }),
    }) as Body;
    return { kind, fields: body, wrap: null, ...(await createRecord(session, pathOf(kind), { tag, body })) };
  }
  const context = { ...contextOf(session, extra), tag, number };
  const wanted = Object.values(bodyOf(kind, recipe, { ...context, ...someIds }).fields);
  const ids = await references({
    agent: wanted.includes(someIds.agentId),
    lead: wanted.includes(someIds.leadId),
  });
  const all = bodyOf(kind, recipe, { ...context, ...ids }).fields;
  const fields = extra.events === null ? withoutEvents(all) : all;
  const body = recipe.wrap === null ? fields : { [recipe.wrap]: fields };
  return { kind, fields, wrap: recipe.wrap, ...(await createRecord(session, pathOf(kind), { tag, body })) };
}

const withoutEvents = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !asksForEvents(name)));

const contextOf = (
  { seed, openedAt }: Session,
  { events, ...extra }: Extra,
): Pick<BodyContext, 'seed' | 'now' | 'url' | 'secret' | 'events'> => ({
  seed,
  now: openedAt,
  ...extra,
  ...(events ? { events } : {}),
});

/** Stand for ids while it is asked whether they are wanted. */
const someIds = { agentId: 'id of some agent', leadId: 'id of some lead' } as const;

/** The record, for a clause that only needs one. Throws Inconclusive where it could not be made, naming the clause to blame. */
export function assertCreated(attempt: Attempt): Created {
  const { id } = attempt;
  if (id === undefined) {
    throw new Inconclusive(notCreated(attempt));
  }
  return { ...attempt, id };
}

/** Why there is no record: the deployment's own words and, where its body was guessed, what would decide it. */
function notCreated({ kind, answer }: Attempt): Finding {
  const endpoint = creating(kind);
  if (refusesBody(answer)) {
    return bodyRefused(answer, endpoint);
  }
  const why = isSuccess(answer) ? 'nothing shows the id of what was made' : describeAnswer(answer);
  return findingOn(answer, {
    message: `${endpoint} creates nothing that can be used: ${why}`,
    expected: '201',
    actual: describeAnswer(answer),
    blames: endpointOf(endpoint).clause,
  });
}

/** A guessed body that was refused, and how the user can supply a better one. */
export const bodyRefused = (answer: Answer, endpoint: string): Finding =>
  findingOn(answer, {
    message: `${endpoint} takes none of the suite's bodies, and the document shows none: ${describeAnswer(answer)}`,
    expected: 'a body that the deployment takes',
    actual: describeAnswer(answer),
    cause: `Put a body that works into the file that BODIES names: {"${endpoint}": {…}}`,
  });

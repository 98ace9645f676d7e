import type { Body, BodyContext, Kind } from '../../fixtures/workspace-bodies.ts';
import { Inconclusive } from '../../results/stop.ts';
import { fillBody } from '../../settings/bodies-file.ts';
import { cameOf, findingOn } from '../engine/expect.ts';
import { settled } from '../engine/partly.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import type { Entry } from '../session/ledger.ts';
import { creating, deleting } from './endpoints.ts';
import { asksForEvents, bodyOf, firstRecipe, type Recipe, revisions } from './guess.ts';
import { idIn } from './identity.ts';
import { lookFor } from './lists.ts';
import { secretsIn } from './secrets.ts';
import type { WorkspaceSession } from './session.ts';

/** A create, and what came of it. */
export interface Attempt {
  readonly kind: Kind;
  /** Words that stand in the record and in no other. */
  readonly tag: string;
  /** The fields that were sent, without their wrapper. */
  readonly fields: Body;
  readonly body: unknown;
  /** The one field that held them; null: none did. */
  readonly wrap: string | null;
  readonly answer: Answer;
  /** undefined: nothing was made, or nothing shows its id. */
  readonly id: string | undefined;
  readonly entry: Entry | null;
}

/** A record of the run's. */
export type Made = Attempt & { readonly id: string };

/** What a record refers to besides its own words. */
export type Extra = Pick<BodyContext, 'url' | 'secret'> & {
  /** null: the body names none. */
  readonly events?: readonly string[] | null;
};

/** How many bodies are tried for one kind of record before giving up. */
const mostTries = 8;

export const succeeded = ({ status }: Pick<Answer, 'status'>): boolean => Math.floor(status / 100) === 2;
/** Statuses with which deployments refuse a body; the document names the first alone. */
export const refusesBody = ({ status }: Pick<Answer, 'status'>): boolean => status === 400 || status === 422;

/**
 * Creates a record with full permission: the user's own body where BODIES has one, else a plausible one. The first create
 * of a kind finds out which body is taken; where none is, the later ones share its answer. Throws Skipped where the
 * settings forbid writing.
 */
export async function create(session: WorkspaceSession, kind: Kind, extra: Extra = {}): Promise<Attempt> {
  const known = session.once(`body of POST /v1/${kind}`, () => learn(session, kind, extra));
  const { recipe, attempt, spare } = await known;
  return spare.pop() ?? (recipe === null ? attempt : attemptWith(session, kind, recipe, extra));
}

interface Lesson {
  /** null: no body is taken. */
  readonly recipe: Recipe | 'own' | null;
  readonly attempt: Attempt;
  /** The same, until somebody takes the first record as theirs. */
  readonly spare: Attempt[];
}

async function learn(session: WorkspaceSession, kind: Kind, extra: Extra): Promise<Lesson> {
  if (session.userBodies[creating(kind).id] !== undefined) {
    const attempt = await attemptWith(session, kind, 'own', extra);
    return { recipe: succeeded(attempt.answer) ? 'own' : null, attempt, spare: [attempt] };
  }
  const seen = new Set<string>();
  for (let [recipe, others]: [Recipe, readonly Recipe[]] = [firstRecipe, []]; ; ) {
    seen.add(JSON.stringify(recipe));
    const attempt = await attemptWith(session, kind, recipe, extra);
    const asking = { seed: session.seed, tag: attempt.tag, number: 0, now: session.began, ...someIds, ...known(extra) };
    const asked = refusesBody(attempt.answer) ? [...revisions(kind, recipe, asking, attempt.answer), ...others] : [];
    const [next, ...rest] = asked.filter((one) => !seen.has(JSON.stringify(one)));
    if (next === undefined || seen.size === mostTries) {
      return { recipe: succeeded(attempt.answer) ? recipe : null, attempt, spare: [attempt] };
    }
    [recipe, others] = [next, rest];
  }
}

async function attemptWith(
  session: WorkspaceSession,
  kind: Kind,
  recipe: Recipe | 'own',
  extra: Extra,
): Promise<Attempt> {
  const { tag: words, number } = session.nextRecord();
  // A webhook may have no field for words; its URL is told from all others by its last part.
  const tag = extra.url === undefined ? words : (extra.url.split('/').at(-1) ?? words);
  if (recipe === 'own') {
    const values = {
      run: words,
      ...(extra.url === undefined ? {} : { webhook_url: extra.url }),
      ...(extra.secret === undefined ? {} : { webhook_secret: extra.secret }),
    };
    const body = fillBody(session.userBodies[creating(kind).id], values) as Body;
    return { kind, tag, fields: body, body, wrap: null, ...(await post(session, kind, body, tag)) };
  }
  const all = bodyOf(kind, recipe, await contextOf(session, kind, { tag, number }, recipe, extra)).fields;
  const fields =
    extra.events === null ? Object.fromEntries(Object.entries(all).filter(([name]) => !asksForEvents(name))) : all;
  const body = recipe.wrap === null ? fields : { [recipe.wrap]: fields };
  return { kind, tag, fields, body, wrap: recipe.wrap, ...(await post(session, kind, body, tag)) };
}

/** A booking refers to an agent and a lead of the run's, where its body has room for them: a lead cannot be deleted again. */
async function contextOf(
  session: WorkspaceSession,
  kind: Kind,
  words: { tag: string; number: number },
  recipe: Recipe,
  extra: Extra,
): Promise<BodyContext> {
  const plain = { seed: session.seed, ...words, now: session.began, ...known(extra) };
  if (kind !== 'bookings') {
    return plain;
  }
  const values = Object.values(bodyOf(kind, recipe, { ...plain, ...someIds }).fields);
  const [agent, lead] = await Promise.all([
    values.includes(someIds.agentId) ? main(session, 'agents') : undefined,
    values.includes(someIds.leadId) ? main(session, 'leads') : undefined,
  ]);
  return { ...plain, agentId: agent?.id, leadId: lead?.id };
}

const known = ({ events, ...extra }: Extra): Omit<Extra, 'events'> & { readonly events?: readonly string[] } => ({
  ...extra,
  ...(events ? { events } : {}),
});

/** Stand for ids while it is asked whether they are wanted. */
const someIds = { agentId: 'id of some agent', leadId: 'id of some lead' } as const;

/** The record of its kind that most clauses look at, made once a run. */
export const main = (session: WorkspaceSession, kind: Exclude<Kind, 'webhooks'>): Promise<Attempt> =>
  session.once(`main record of ${kind}`, async () => {
    // All clauses begin in one turn. Where some of them listen for events, what this causes is to be heard.
    await Promise.resolve();
    if (session.listening !== null && kind !== 'bookings') {
      await settled(session.listening);
    }
    return create(session, kind);
  });

/** A further record of its kind, made once a run for the purpose named. */
export const another = (
  session: WorkspaceSession,
  kind: Exclude<Kind, 'webhooks'>,
  purpose: string,
): Promise<Attempt> => session.once(`${kind} for ${purpose}`, () => create(session, kind));

/** The body of an attempt with other words in it: for a call that is to differ from it in one thing, and may make a record. */
export function likeness(
  session: WorkspaceSession,
  { body, tag: old }: Attempt,
): { readonly tag: string; readonly body: unknown } {
  const { tag } = session.nextRecord();
  return { tag, body: JSON.parse(JSON.stringify(body).replaceAll(old, tag)) as unknown };
}

/** Sends a create; whatever it makes stands in the ledger, or, where the API cannot delete it, among what is left behind. */
export async function post(
  session: WorkspaceSession,
  kind: Kind,
  body: unknown,
  tag: string,
  rest: Partial<Call> = {},
): Promise<Pick<Attempt, 'answer' | 'id' | 'entry'>> {
  const entry =
    kind === 'leads'
      ? null
      : session.ledger.intend({
          api: 'workspace',
          origin: session.origin,
          collection: `/v1/${kind}`,
          keySetting: session.key.label,
          tag,
        });
  let answer: Answer;
  try {
    answer = await session.client.send(
      callOf(creating(kind), session.key, { body, secretsIn, creates: kind !== 'leads', ...rest }),
    );
  } catch (error) {
    // What was never sent made nothing.
    if (entry !== null) {
      session.ledger.gone(entry);
    }
    throw error;
  }
  const id = succeeded(answer) ? await idOf(session, kind, answer, tag) : undefined;
  // After a 5xx or no answer nobody knows: it stays in the ledger, to be looked for by its words.
  if (entry !== null && answer.status >= 300 && answer.status < 500) {
    session.ledger.gone(entry);
  }
  if (entry !== null && id !== undefined) {
    session.ledger.made(entry, id);
  }
  if (succeeded(answer)) {
    session.made.push({ kind, id: id ?? null, tag });
  }
  return { answer, id, entry };
}

/** The new record's id: in the answer, in its Location, or in the list. */
async function idOf(session: WorkspaceSession, kind: Kind, answer: Answer, tag: string): Promise<string | undefined> {
  const id = idIn(answer.json, kind) ?? new RegExp(`/${kind}/([^/?#]+)`).exec(answer.header('Location') ?? '')?.[1];
  return id ?? idByTag(session, kind, tag);
}

/** The id of the listed record that holds the words; undefined where none does. */
export async function idByTag(session: WorkspaceSession, kind: Kind, tag: string): Promise<string | undefined> {
  const { found } = await lookFor(session, kind, { id: undefined, tag });
  return idIn(found, kind);
}

/** Deletes a record of the run's; no lead, which the API has no call for. */
export async function remove(session: WorkspaceSession, record: Made, rest: Partial<Call> = {}): Promise<Answer> {
  const answer = await session.client.send(
    callOf(deleting(record.kind as Exclude<Kind, 'leads'>), session.key, {
      id: record.id,
      deletes: true,
      secretsIn,
      ...rest,
    }),
  );
  // Only leads have no entry.
  if (succeeded(answer)) {
    session.ledger.gone(record.entry as Entry);
  }
  return answer;
}

/** The record, for a clause that only needs one. Throws Inconclusive where it could not be made, naming the clause to blame. */
export function made(attempt: Attempt): Made {
  if (attempt.id !== undefined) {
    return { ...attempt, id: attempt.id };
  }
  throw new Inconclusive(notMade(attempt));
}

/** Why there is no record: the deployment's own words and, where its body was guessed, what would decide it. */
export function notMade({ kind, answer }: Attempt): ReturnType<typeof findingOn> {
  const { id, clause } = creating(kind);
  if (refusesBody(answer)) {
    return bodyRefused(answer, id);
  }
  const why = succeeded(answer) ? 'nothing shows the id of what was made' : cameOf(answer);
  return findingOn(answer, {
    message: `${id} makes nothing to go on with: ${why}`,
    expected: '201',
    actual: cameOf(answer),
    blames: clause,
  });
}

/** A guessed body that was refused, and how the user can supply a better one. */
export function bodyRefused(answer: Answer, call: string): ReturnType<typeof findingOn> {
  return findingOn(answer, {
    message: `${call} takes none of the suite's bodies, and the document shows none: ${cameOf(answer)}`,
    expected: 'a body that the deployment takes',
    actual: cameOf(answer),
    cause: `Put a body that works into the file that BODIES names: {"${call}": {…}}`,
  });
}

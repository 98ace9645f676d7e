import { randomBytes } from 'node:crypto';
import { reword, walk } from '../../../common/json.ts';
import { lettersOf } from '../../../common/words.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { type EventKind, eventKinds } from '../../../contract/events.ts';
import { Inconclusive, Skipped } from '../../../results/outcome.ts';
import { fillBody, usesWord } from '../../../settings/bodies-file.ts';
import type { Mailbox } from '../../../webhooks/inbox/inbox.ts';
import { settle } from '../../engine/check.ts';
import { signingSecretsIn } from '../../reading/shown-secrets.ts';
import {
  type Body,
  type Learnt,
  learnBody,
  type Recipe,
  recipesFor,
  refusesBody,
  refusesGuess,
  withEvents,
  wrapped,
} from '../../records/bodies.ts';
import { createRecord } from '../../records/own.ts';
import { type Answer, type ApiKey, isServerFailure, isSuccess } from '../../session/call.ts';
import { givenKey, type Session, step } from '../../session/session.ts';
import {
  type Attempt,
  assertCreated,
  type Composed,
  creating,
  isReadable,
  type Kind,
  nextWords,
  pathOf,
  type Receiver,
} from './creating.ts';

// --- The first record of each kind, and further ones

/** The create of a kind that most clauses use. Throws Skipped where the settings forbid writes. */
export const firstOf = step(async (session, kind: Kind): Promise<Attempt> => {
  // Where deliveries are judged, those that this create causes must be heard.
  if (isReadable(kind) && needsDeliveries(session)) {
    await settle(listeners(session));
  }
  return (await learnt(session, kind)).sent;
});

/**
 * Creates a further record of a kind; a webhook, for these events. A deployment may cap their number: the first must
 * not be the one too many. Where no body was accepted, it shares the first answer.
 */
export async function anotherOf(session: Session, kind: Kind, events?: readonly string[] | null): Promise<Attempt> {
  const sent = await firstOf(session, kind);
  const { recipe, isRefused } = await learnt(session, kind);
  return isRefused ? sent : createLike(session, kind, recipe, { events, isKnown: true });
}

/** How records of a kind are created: the first create learns which body is accepted. */
const learnt = step(async (session, kind: Kind): Promise<Learnt<Attempt>> => {
  const call = creating(kind);
  const made = await learnBody(call, recipesFor(session, call), {
    send: (recipe) => createLike(session, kind, recipe),
    isRefused: (answer, recipe) => refusesGuess(answer, recipe) || isTaken(kind, answer, recipe),
  });
  const { answer } = made.sent;
  return { ...made, isRefused: made.isRefused || !(isSuccess(answer) || isServerFailure(answer)) };
});

/**
 * Whether the time of a booking may be taken. A likely body that is refused is followed by one at another time, unless
 * one like it was accepted before.
 */
const isTaken = (kind: Kind, answer: Answer, { isUsers }: Recipe, isKnown = false): boolean =>
  kind === 'bookings' && (answer.status === 409 || ((isUsers || isKnown) && refusesBody(answer)));

/** Creates a record. `isKnown`: a body like it was accepted before. `events`: of a webhook; null: it names none. */
async function createLike(
  session: Session,
  kind: Kind,
  recipe: Recipe,
  { events = eventKinds, isKnown = false }: { events?: readonly string[] | null | undefined; isKnown?: boolean } = {},
): Promise<Attempt> {
  const another = async (): Promise<Composed> => {
    const words = nextWords(session);
    const receiver = kind === 'webhooks' ? newReceiver(session) : undefined;
    const template = receiver && !recipe.isUsers ? withEvents(recipe.template, events) : recipe.template;
    const own = receiver
      ? { webhook_url: receiver.url, webhook_secret: receiver.secret }
      : await namedIn(session, template, kind);
    const fields = fillBody(template, { ...words, ...own }) as Body;
    for (const secret of signingSecretsIn(fields)) {
      session.redactor.learn(secret);
    }
    // A webhook may have no field for words; the last part of its URL is its own.
    const tag = receiver?.url.split('/').at(-1) ?? words.run;
    return { tag, fields, receiver, body: wrapped(fields, recipe.wrapper) };
  };
  const once = async (): Promise<Attempt> => {
    const { fields, receiver, ...creation } = await another();
    const created = await createRecord(session, pathOf(kind), creation);
    for (const handedOver of receiver?.mailbox?.secrets ?? []) {
      session.redactor.learn(handedOver);
    }
    return { ...created, kind, recipe, fields, receiver, another };
  };
  const attempt = await once();
  // Once more after a 5xx or no answer, and where the time of a booking is taken: the next one has another.
  return isServerFailure(attempt.answer) || isTaken(kind, attempt.answer, recipe, isKnown) ? once() : attempt;
}

/**
 * The ids of the records to which a body refers, as bodies must name them: the first agent and lead, since leads cannot
 * be deleted. `kind`: what it creates. Throws Inconclusive where one could not be created.
 */
export async function namedIn(session: Session, template: unknown, kind?: Kind) {
  const words: Partial<Record<'agent_id' | 'lead_id', string | number>> = {};
  for (const [word, named] of [
    ['agent_id', 'agents'],
    ['lead_id', 'leads'],
  ] as const) {
    // A user's body may name a record of its own kind: waiting for the first one would never end.
    if (named !== kind && usesWord(template, word)) {
      const { id, collection, answer } = await firstOf(session, named);
      // A body may name no record of others.
      if (id === undefined || !session.writeGuard.allows(collection, id)) {
        const message = `Not sent: a body that refers to one of the ${named}, since none could be created`;
        throw new Inconclusive({ message, blames: endpointOf(creating(named)).clause });
      }
      const isNumber = walk(answer.json).some(({ value }) => typeof value === 'number' && String(value) === id);
      words[word] = isNumber ? Number(id) : id;
    }
  }
  return words;
}

/** The body of an attempt with new words of the run, and these words: for a call that may create another record. */
export function reworded(
  session: Session,
  { body, tag: oldTag }: Pick<Attempt, 'body' | 'tag'>,
): { readonly tag: string; readonly body: unknown } {
  const { tag } = session.nextRecord();
  return { tag, body: reword(body, oldTag, tag) };
}

// --- The webhooks that listen

/**
 * Whether a registration asks for an event: its body names it in any spelling, such as `BOOKING_CREATED`, or by a
 * pattern such as `booking.*`. One that names no event counts as asking for every one.
 */
export function subscribesTo({ body }: Pick<Attempt, 'body'>, kind: EventKind): boolean {
  const covers = (text: string, one: EventKind): boolean =>
    lettersOf(text) === lettersOf(one) || (text.endsWith('*') && one.startsWith(text.slice(0, -1)));
  const texts = walk(body).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const asked = texts.filter((text) => eventKinds.some((one) => covers(text, one)));
  return asked.length === 0 || asked.some((text) => covers(text, kind));
}

/** A webhook that the run registered, or tried to. */
export type Webhook = Attempt & Receiver & { readonly name: string };

/**
 * The webhooks, and the events for which each asks: two with different secrets for all; one for a single event; one
 * that names none, which alone hears events of other names.
 */
const webhooks = {
  'first webhook': eventKinds,
  'second webhook': eventKinds,
  'webhook for booking.cancelled': ['booking.cancelled'],
  'webhook without a selection': null,
} as const;
type WebhookName = keyof typeof webhooks;

/** Those with different secrets that ask for the same events. */
export const firstTwo: readonly string[] = ['first webhook', 'second webhook'] satisfies WebhookName[];

/** Registers a webhook, once a run. */
export const registration = step(async (session, name: WebhookName): Promise<Webhook> => {
  const isFirst = name === 'first webhook';
  const attempt = await (isFirst ? firstOf(session, 'webhooks') : anotherOf(session, 'webhooks', webhooks[name]));
  return { ...attempt, ...(attempt.receiver as Receiver), name };
});

/** A new URL and secret. Without a receiver the URL is on a host that cannot exist: nobody else ever gets an event. */
function newReceiver({ redactor, inbox, tag }: Session): Receiver {
  // In the usual form, with possible keys that all differ: base64 that is neither plain text nor URL-safe.
  const secret = `whsec_${Buffer.concat([Buffer.from('+/+/', 'base64'), randomBytes(27)]).toString('base64')}`;
  redactor.learn(secret);
  // The run's words, so that anybody who finds the webhook knows where it is from.
  const mailbox = inbox.kind === 'inbox' ? inbox.open(secret, tag) : null;
  const nowhere = `https://conformance.invalid/hooks/${tag}/${randomBytes(12).toString('hex')}`;
  return { secret, mailbox, url: mailbox?.url ?? nowhere };
}

/** A registered webhook with a receiver. */
export type Listener = Webhook & { readonly mailbox: Mailbox };

/** Whether the run needs deliveries: what it judges, or whether another workspace gets any of them. */
export const needsDeliveries = (session: Session): boolean =>
  strangerOf(session) !== undefined || [...session.clauses].some((id) => /^workspace\.(events|webhooks)\./.test(id));

/** The key of another workspace, where the run judges what that finds of this one. */
const strangerOf = (session: Session): ApiKey | undefined =>
  session.clauses.has('workspace.auth.scoped') ? givenKey(session, 'WORKSPACE_OTHER_API_KEY') : undefined;

/**
 * The webhooks that receive events: the first one, and the others that the deployment accepted. Throws Skipped where
 * the run has no receiver or may not write, Inconclusive where no webhook can be registered.
 */
export const listeners = step(async (session): Promise<readonly [Listener, ...Listener[]]> => {
  if (session.inbox.kind === 'no inbox') {
    throw new Skipped(session.inbox.reason, { setting: 'WEBHOOK_PUBLIC_URL' });
  }
  const [first, ...others] = await Promise.all(
    (Object.keys(webhooks) as WebhookName[]).map((name) => registration(session, name)),
  );
  assertCreated(first as Webhook);
  await settle(foreignMailbox(session));
  // With a receiver, each registration has a mailbox.
  return [first as Listener, ...others.filter((one): one is Listener => isSuccess(one.answer))];
});

/**
 * What comes to a webhook of another workspace, whose key the user gave: it must get no event of this one. null: there
 * is none.
 */
export const foreignMailbox = step(async (session): Promise<Mailbox | null> => {
  const maker = strangerOf(session);
  const { id, collection, mailbox, another } = await registration(session, 'first webhook');
  if (maker === undefined || mailbox === null || id === undefined) {
    return null;
  }
  const { receiver, tag, body } = await another();
  const { answer } = await createRecord(session, collection, { maker, tag, body });
  return isSuccess(answer) ? (receiver?.mailbox ?? null) : null;
});

/** Those of the first two webhooks that ask for an event. Throws Inconclusive where none does. */
export function subscribersOf(all: readonly Listener[], kind: EventKind): Listener[] {
  const subscribers = all.filter((one) => firstTwo.includes(one.name) && subscribesTo(one, kind));
  if (subscribers.length === 0) {
    throw new Inconclusive({
      message: `${kind} was not tested: the registrations that the deployment accepts select other events`,
      advice: 'Add a registration for all events to your BODIES file: {"POST /v1/webhooks": {…}}',
    });
  }
  return subscribers;
}

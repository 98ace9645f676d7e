import { randomBytes } from 'node:crypto';
import { reword } from '../../../common/exact-json.ts';
import { type Found, isObject, pointerNames, walk } from '../../../common/json.ts';
import { lettersOf } from '../../../common/words.ts';
import { type EventKind, eventKinds } from '../../../contract/events.ts';
import { Inconclusive, Skipped } from '../../../results/stop.ts';
import type { Mailbox } from '../../../webhooks/inbox/mailbox.ts';
import { type SecretCandidate, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
import { type Answer, isServerFailure, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { step, stepFor } from '../../session/step.ts';
import { type Attempt, assertCreated, noReferences, type Posted, post } from '../records/creating.ts';
import { secretsIn } from './secrets.ts';

/**
 * The event that a text names in any spelling, such as `BOOKING_CREATED` or `bookingCreated`; undefined if it names
 * none.
 */
const eventSpelled = (text: unknown): EventKind | undefined =>
  typeof text === 'string' ? eventKinds.find((kind) => lettersOf(kind) === lettersOf(text)) : undefined;

/** Whether a field of a webhook asks for events: its name says so, or what it contains. */
export const asksForEvents = ([name, value]: readonly [string, unknown]): boolean =>
  /event|topic|subscription|trigger|types/i.test(name) || [value].flat().some(eventSpelled);

/**
 * Whether a registration asks for an event. One that names no event counts as asking for every one, unless the field
 * for its events is empty: a deployment that takes this may send it none. A body may name events in several fields, of
 * which the deployment knows one: those that its answer shows, too, count more than the others.
 */
export function subscribesTo(
  {
    attempt: { body, answer },
  }: { readonly attempt: Pick<Attempt, 'body'> & { readonly answer: Pick<Answer, 'json'> } },
  kind: EventKind,
): boolean {
  const values = walk(body);
  const shown = new Set(walk(answer.json).map(fieldOf));
  const asking = values.filter((found) => askedFor(found).length > 0);
  const known = asking.filter((found) => shown.has(fieldOf(found)));
  const asked = (known.length > 0 ? known : asking).flatMap(askedFor);
  const covers = (text: string): boolean =>
    eventSpelled(text) === kind || (text.endsWith('*') && kind.startsWith(text.slice(0, -1)));
  return asked.length === 0 ? !values.some(isEmptySelection) : asked.some(covers);
}

/** The name of the field in which a value is, itself or in a list. */
const fieldOf = ({ pointer }: Found): string | undefined =>
  pointerNames(pointer).findLast((name) => !/^\d+$/.test(name));

/** The events that a value asks for: by a name, by a pattern such as `booking.*`, or as a field that is switched on. */
const askedFor = ({ name, value }: Found): string[] => {
  if (typeof value === 'string' && (eventSpelled(value) !== undefined || /^([a-z]+[._:])?\*$/.test(value))) {
    return [value];
  }
  return eventSpelled(name) !== undefined && value !== false ? [name] : [];
};

const isEmptySelection = ({ name, value }: Found): boolean =>
  asksForEvents([name, value]) && (Array.isArray(value) || isObject(value)) && Object.keys(value).length === 0;

/** A webhook that the run registered, or tried to. */
export interface Registration {
  readonly name: string;
  readonly url: string;
  /** What arrives at the URL; null: the run has no receiver. */
  readonly mailbox: Mailbox | null;
  /** The secret that the run chose; the deployment may use another. */
  readonly chosen: string;
  readonly attempt: Attempt;
}

/** The webhooks: two for all events, with different secrets; one for a single event; one that names no event. */
export const webhookNames = {
  first: 'first webhook',
  second: 'second webhook',
  selective: 'webhook for booking.cancelled',
  unselective: 'webhook without a selection',
} as const;

/** A secret in the usual form whose possible keys all differ: base64 that is neither plain text nor URL-safe. */
const chooseSecret = (): string =>
  `whsec_${Buffer.concat([Buffer.from('+/+/', 'base64'), randomBytes(27)]).toString('base64')}`;

/** A registration that was answered. */
type Registered = Omit<Registration, 'attempt'> & { readonly posted: Posted };

/** Sends a registration, once a run for each name. */
const registered: (session: Session, name: string, events?: readonly string[] | null) => Promise<Registered> = stepFor(
  (name: string, _events?: readonly string[] | null) => name,
  async (session, name, events = eventKinds): Promise<Registered> => {
    const chosen = chooseSecret();
    session.redactor.learn(chosen);
    const companion = name === webhookNames.first ? () => registered(session, webhookNames.second) : undefined;
    const references = { ...noReferences, companion };
    const send = async (): Promise<Pick<Registered, 'url' | 'mailbox' | 'posted'>> => {
      const receiver = newReceiverUrl(session, chosen);
      const extra = { url: receiver.url, secret: chosen, events };
      return { ...receiver, posted: await post(session, 'webhooks', extra, references) };
    };
    const first = await send();
    const { url, mailbox, posted } = isServerFailure(first.posted.answer) ? await send() : first;
    for (const secret of handshakeSecrets(mailbox)) {
      session.redactor.learn(secret);
    }
    return { name, url, mailbox, chosen, posted };
  },
);

/** Registers a webhook, once a run for each name; `events`: null names none. Throws Skipped as `create` does. */
export const registration = stepFor(
  (name: string, _events?: readonly string[] | null) => name,
  async (session, name, events = eventKinds): Promise<Registration> => {
    const { posted, ...rest } = await registered(session, name, events);
    return { ...rest, attempt: await posted.proven() };
  },
);

/** The first webhook: the one whose registration is judged. */
export const firstWebhook = (session: Session): Promise<Registration> => registration(session, webhookNames.first);

/** A new URL. Without a receiver it is on a host that cannot exist, so that nobody else ever gets an event. */
function newReceiverUrl(session: Session, secret: string): Pick<Registration, 'mailbox' | 'url'> {
  // The run's words, so that anybody who finds the webhook knows where it is from.
  const label = session.tag;
  const mailbox = session.inbox.kind === 'inbox' ? session.inbox.open(secret, label) : null;
  const nowhere = `https://conformance.invalid/hooks/${label}/${randomBytes(12).toString('hex')}`;
  return { mailbox, url: mailbox?.url ?? nowhere };
}

/**
 * The body of a registration with another URL, which answers handshakes as the given one does: a deployment that asks
 * the URL first, or refuses a URL that it knows, sees no other difference.
 */
export function bodyForAnotherUrl(
  session: Session,
  { chosen, url, attempt }: Registration,
): { readonly tag: string; readonly body: unknown } {
  const { url: other } = newReceiverUrl(session, chosen);
  return { tag: other, body: reword(attempt.body, url, other) };
}

/** The secrets with which a webhook's deliveries may be signed. */
export interface Secrets {
  /** Likeliest first. */
  readonly candidates: readonly string[];
  /** Whether the deployment showed its secret, or the one that was sent: no other is in question. */
  readonly isCertain: boolean;
}

/** Secrets that came with handshakes. */
const handshakeSecrets = (mailbox: Registration['mailbox']): string[] =>
  (mailbox?.handshakes ?? []).flatMap(({ secret }) => secret ?? []);

/**
 * The secrets that a webhook may use: those shown and sent, those shown as secrets, the user's, those sent, others.
 * `listed`: what its row in the list shows.
 */
export function secretsOf(
  { settings }: Pick<Session, 'settings'>,
  {
    attempt: { answer, body, id },
    mailbox,
    chosen,
  }: Pick<Registration, 'mailbox' | 'chosen'> & {
    readonly attempt: Pick<Attempt, 'answer' | 'body'> & Partial<Pick<Attempt, 'id'>>;
  },
  listed: readonly SecretCandidate[] = [],
): Secrets {
  const isRegistered = isSuccess(answer);
  // A webhook's id may have a field named like a secret, such as a key.
  const answered = isRegistered ? secretsShownIn(answer, body) : [];
  const shown = [...answered, ...listed].filter(({ value }) => value !== id);
  // Changed as refusals asked, the body may not contain the chosen secret, or contain another.
  const sent = [...(walk(body).some(({ value }) => value === chosen) ? [chosen] : []), ...secretsIn(body)];
  const shownAgain = isRegistered
    ? [chosen, ...sent].filter((secret) => answer.unredacted(({ holds }) => holds(secret)))
    : [];
  const named = [...handshakeSecrets(mailbox), ...shown.filter((one) => one.named).map(({ value }) => value)];
  // A user sets the secret where the deployment neither takes nor shows one: what looks like one is something else.
  const isCertain = settings.WEBHOOK_SECRET === undefined && (shownAgain.length > 0 || named.length > 0);
  const users = settings.WEBHOOK_SECRET === undefined ? [] : [settings.WEBHOOK_SECRET];
  const candidates = [...shownAgain, ...named, ...users, ...sent, ...shown.map(({ value }) => value)];
  return { candidates: [...new Set(candidates)], isCertain };
}

/** What the answer to a registration shows that was not sent and may be a secret. */
function secretsShownIn(answer: Answer, sent: unknown): readonly SecretCandidate[] {
  const names = (answer.exchange.response?.headers ?? []).map(([name]) => name);
  return answer.unredacted(({ json, header }) =>
    secretCandidates(
      json,
      [...new Set(names)].map((name) => [name, header(name) ?? '']),
      sent,
    ),
  );
}

/** A registered webhook with a receiver. */
export type Listener = Registration & { readonly mailbox: Mailbox };

/** Whether the run judges a clause that needs deliveries. */
export const needsDeliveries = ({ clauses }: Session): boolean =>
  [...clauses].some((id) => /^workspace\.(events\.|webhooks\.(?!register$|list$))/.test(id));

/**
 * The webhooks that receive events: the first one, and the others that the deployment accepted. Throws Skipped where
 * the run has no receiver or may not write, Inconclusive where no webhook can be registered.
 */
export const listeners = step(async (session): Promise<readonly [Listener, ...Listener[]]> => {
  if (session.inbox.kind === 'no inbox') {
    throw new Skipped(session.inbox.reason, { setting: 'WEBHOOK_PUBLIC_URL' });
  }
  const first = await firstWebhook(session);
  const others = await Promise.all([
    registration(session, webhookNames.second),
    registration(session, webhookNames.selective, ['booking.cancelled']),
    registration(session, webhookNames.unselective, null),
  ]);
  assertCreated(first.attempt);
  // With a receiver, each registration has a mailbox.
  return [first as Listener, ...others.filter((one): one is Listener => isSuccess(one.attempt.answer))];
});

/**
 * The webhooks that must get an event: those of the first two that ask for it or, where a webhook can ask for one event
 * only, the one that asks for this one. Throws Inconclusive where none asks for it.
 */
export function subscribersOf<L extends Pick<Listener, 'name'> & Parameters<typeof subscribesTo>[0]>(
  all: readonly L[],
  kind: EventKind,
): L[] {
  const subscribed = all.filter((webhook) => subscribesTo(webhook, kind));
  const firstTwo = subscribed.filter(({ name }) => name === webhookNames.first || name === webhookNames.second);
  const subscribers = firstTwo.length > 0 ? firstTwo : subscribed.filter(({ name }) => name === webhookNames.selective);
  if (subscribers.length === 0) {
    throw new Inconclusive({
      message: `${kind} was not tested: the registrations that the deployment accepts select other events`,
      advice: 'Add a registration for all events to your BODIES file: {"POST /v1/webhooks": {…}}',
    });
  }
  return subscribers;
}

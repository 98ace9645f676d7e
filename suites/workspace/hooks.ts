import { randomBytes } from 'node:crypto';
import { walk } from '../../common/json.ts';
import { type EventKind, eventKinds } from '../../contract/events.ts';
import type { Mailbox } from '../../webhooks/inbox/inbox.ts';
import { type Attempt, create, type likeness, succeeded } from './records.ts';
import { secretsIn } from './secrets.ts';
import type { WorkspaceSession } from './session.ts';

/** A webhook that the run registered, or tried to. */
export interface Hook {
  readonly name: string;
  readonly url: string;
  /** What arrives at it; null where the run has no receiver. */
  readonly mailbox: Mailbox | null;
  /** The secret that the run chose; the deployment may have chosen another. */
  readonly chosen: string;
  readonly attempt: Attempt;
}

/**
 * The webhooks whose deliveries are looked at: two with different secrets that ask for all six events, one that asks for a
 * single event, and one that asks for none by name, which may be sent events that nobody could ask for.
 */
export const hookNames = {
  first: 'first webhook',
  second: 'second webhook',
  selective: 'webhook for booking.cancelled',
  unselective: 'webhook without a selection',
} as const;

/** A secret in the usual form whose derivations all differ: base64 that is neither plain text nor URL-safe. */
const chooseSecret = (): string =>
  `whsec_${Buffer.concat([Buffer.from('+/+/', 'base64'), randomBytes(27)]).toString('base64')}`;

/** Registers a webhook, once a run for each name. Throws Skipped where writing is forbidden. */
export const hook = (
  session: WorkspaceSession,
  name: string,
  events: readonly string[] | null = eventKinds,
): Promise<Hook> =>
  session.once(`register ${name}`, async () => {
    const chosen = chooseSecret();
    session.redactor.learn(chosen);
    const { mailbox, url } = openUrl(session, chosen);
    const attempt = await create(session, 'webhooks', { url, secret: chosen, events });
    for (const secret of handedOver(mailbox)) {
      session.redactor.learn(secret);
    }
    const registered: Hook = { name, url, mailbox, chosen, attempt };
    session.hooks.push(registered);
    return registered;
  });

/** A URL of its own; without a receiver on a host that can exist nowhere: no third party is ever sent an event. */
function openUrl(session: WorkspaceSession, secret: string): Pick<Hook, 'mailbox' | 'url'> {
  const mailbox = session.inbox.kind === 'inbox' ? session.inbox.open(secret) : null;
  return { mailbox, url: mailbox?.url ?? `https://conformance.invalid/hooks/${randomBytes(12).toString('hex')}` };
}

/**
 * The body of a registration for another URL, which agrees to it as the first one did: a deployment that asks the URL
 * first, or refuses one that is known, tells it from the first in nothing else.
 */
export function likeHook(session: WorkspaceSession, attempt: Attempt): ReturnType<typeof likeness> {
  const first = session.hooks.find((one) => one.attempt.tag === attempt.tag);
  if (first === undefined) {
    throw new Error('Cannot register a webhook like another: that one is not known');
  }
  const { url } = openUrl(session, first.chosen);
  return { tag: url, body: JSON.parse(JSON.stringify(attempt.body).replaceAll(first.url, url)) as unknown };
}

/** Whether a registration asks for an event; one that names none, whatever it names instead, may be sent every one. */
export function asksFor({ attempt: { body } }: Pick<Hook, 'attempt'>, kind: EventKind): boolean {
  const texts = walk(body)
    .map(({ value }) => value)
    .filter((value) => typeof value === 'string');
  const asked = texts.filter(
    (text) => (eventKinds as readonly string[]).includes(text) || /^([a-z]+[._:])?\*$/.test(text),
  );
  return (
    asked.length === 0 ||
    asked.some((text) => text === kind || (text.endsWith('*') && kind.startsWith(text.slice(0, -1))))
  );
}

/** The secrets that a webhook's deliveries may be signed with, likeliest first. */
export interface Secrets {
  readonly candidates: readonly string[];
  /** The deployment showed it, or took ours and showed that: no other is in question. */
  readonly certain: boolean;
}

/** Secrets that came with a handshake. */
const handedOver = (mailbox: Hook['mailbox']): string[] =>
  (mailbox?.handshakes ?? []).flatMap(({ secret }) => secret ?? []);

/** What is known of a webhook's secret: shown on registration, handed over in a handshake, chosen, or set by the user. */
export function secretsOf(
  { settings }: Pick<WorkspaceSession, 'settings'>,
  { attempt, mailbox, chosen }: Pick<Hook, 'attempt' | 'mailbox' | 'chosen'>,
): Secrets {
  const shown = [...handedOver(mailbox), ...(succeeded(attempt.answer) ? secretsIn(attempt.answer.json) : [])];
  if (shown.includes(chosen)) {
    return { candidates: [chosen], certain: true };
  }
  if (shown.length > 0) {
    return { candidates: [...new Set(shown)], certain: true };
  }
  return {
    candidates: [...[settings.WEBHOOK_SECRET ?? []].flat(), ...(sentSecret(attempt) ? [chosen] : [])],
    certain: false,
  };
}

/** Whether the registration that was sent held a secret: guided by refusals, it may have been left out. */
const sentSecret = ({ body }: Attempt): boolean => secretsIn(body).length > 0;

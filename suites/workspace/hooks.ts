import { randomBytes } from 'node:crypto';
import type { Mailbox } from '../kit/inbox.ts';
import { secretsIn } from './secrets.ts';
import { create, succeeded, type Attempt } from './records.ts';
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
  first: 'first webhook', second: 'second webhook', selective: 'webhook for booking.cancelled', unselective: 'webhook without a selection',
} as const;

/** A secret in the usual form whose derivations all differ: base64 that is neither plain text nor URL-safe. */
function chooseSecret(): string {
  for (;;) {
    const base64 = randomBytes(30).toString('base64');
    if (/[+/]/.test(base64)) return `whsec_${base64}`;
  }
}

/** Registers a webhook, once a run for each name. Throws Skipped where writing is forbidden. */
export const hook = (session: WorkspaceSession, name: string, events?: readonly string[] | null): Promise<Hook> => session.once(`register ${name}`, async () => {
  const chosen = chooseSecret();
  session.redactor.learn(chosen);
  const mailbox = session.inbox.kind === 'inbox' ? session.inbox.open(chosen) : null;
  // A host that can exist nowhere: no third party is ever sent an event.
  const url = mailbox?.url ?? `https://conformance.invalid/hooks/${randomBytes(12).toString('hex')}`;
  const attempt = await create(session, 'webhooks', { url, secret: chosen, ...(events === undefined ? {} : { events }) });
  for (const { secret } of mailbox?.handshakes ?? []) if (secret !== undefined) session.redactor.learn(secret);
  return { name, url, mailbox, chosen, attempt };
});

/** The secrets that a webhook's deliveries may be signed with, likeliest first. */
export interface Secrets {
  readonly candidates: readonly string[];
  /** The deployment showed it, or took ours and showed that: no other is in question. */
  readonly certain: boolean;
}

/** What is known of a webhook's secret: shown on registration, handed over in a handshake, chosen, or set by the user. */
export function secretsOf(session: WorkspaceSession, { attempt, mailbox, chosen }: Hook): Secrets {
  const shown = [
    ...(mailbox?.handshakes ?? []).flatMap(({ secret }) => (secret === undefined ? [] : [secret])),
    ...(succeeded(attempt.answer) ? secretsIn(attempt.answer.json) : []),
  ];
  if (shown.includes(chosen)) return { candidates: [chosen], certain: true };
  if (shown.length > 0) return { candidates: [...new Set(shown)], certain: true };
  const set = session.settings.WEBHOOK_SECRET;
  return { candidates: [...(set === undefined ? [] : [set]), ...(sentSecret(attempt) ? [chosen] : [])], certain: false };
}

/** Whether the registration that was sent held a secret: guided by refusals, it may have been left out. */
const sentSecret = ({ body }: Attempt): boolean => secretsIn(body).length > 0;

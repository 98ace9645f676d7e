import { randomBytes } from 'node:crypto';
import { reword } from '../../../../common/exact-json.ts';
import { walk } from '../../../../common/json.ts';
import { type EventKind, eventKinds } from '../../../../contract/events.ts';
import { eventSpelled } from '../../../../fixtures/event-names.ts';
import type { Mailbox } from '../../../../webhooks/inbox/inbox.ts';
import { type SecretCandidate, secretCandidates } from '../../../../webhooks/signature/secret-candidates.ts';
import { type Answer, isSuccess, mayBeAccident } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step, stepFor } from '../../../session/step.ts';
import { noReferences } from '../records/compose.ts';
import { type Attempt, create, type Posted, post } from '../records/create.ts';
import { secretsIn } from './secrets.ts';

/** A webhook that the run registered, or tried to. */
export interface Registration {
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
export const webhookNames = {
  first: 'first webhook',
  second: 'second webhook',
  selective: 'webhook for booking.cancelled',
  unselective: 'webhook without a selection',
} as const;

/** A secret in the usual form whose derivations all differ: base64 that is neither plain text nor URL-safe. */
const chooseSecret = (): string =>
  `whsec_${Buffer.concat([Buffer.from('+/+/', 'base64'), randomBytes(27)]).toString('base64')}`;

/** An agent that is made only where the ids of webhooks, which no call reads, are in doubt: one more, since others wait for webhooks. */
export const readableAgent = step((session): Promise<Attempt> => create(session, 'agents', {}, noReferences));

/** A registration that was answered. */
type Registered = Omit<Registration, 'attempt'> & { readonly posted: Posted };

/** Sends a registration, once a run for each name. */
const registered: (session: Session, name: string, events?: readonly string[] | null) => Promise<Registered> = stepFor(
  (name: string, _events?: readonly string[] | null) => name,
  async (session, name, events = eventKinds): Promise<Registered> => {
    const chosen = chooseSecret();
    session.redactor.learn(chosen);
    // Another webhook is made for the clause on removing.
    const isPaired = name === webhookNames.first && session.clauses.has('workspace.webhooks.remove');
    const companion = isPaired ? () => registered(session, webhookNames.second) : undefined;
    const references = { ...noReferences, exemplar: () => readableAgent(session), companion };
    const send = async (): Promise<Pick<Registered, 'url' | 'mailbox' | 'posted'>> => {
      const opened = openUrl(session, chosen);
      const extra = { url: opened.url, secret: chosen, events };
      return { ...opened, posted: await post(session, 'webhooks', extra, references) };
    };
    const once = await send();
    const { url, mailbox, posted } = mayBeAccident(once.posted.answer) ? await send() : once;
    for (const secret of handedOver(mailbox)) {
      session.redactor.learn(secret);
    }
    return { name, url, mailbox, chosen, posted };
  },
);

/** Registers a webhook, once a run for each name. `events`: null names none. Throws Skipped where writing is forbidden. */
export const registration = stepFor(
  (name: string, _events?: readonly string[] | null) => name,
  async (session, name, events = eventKinds): Promise<Registration> => {
    const { posted, ...rest } = await registered(session, name, events);
    return { ...rest, attempt: await posted.proven() };
  },
);

/** The first webhook: the one that clauses on registering look at. */
export const firstWebhook = (session: Session): Promise<Registration> => registration(session, webhookNames.first);

/** A URL of its own; without a receiver on a host that can exist nowhere: no third party is ever sent an event. */
function openUrl(session: Session, secret: string): Pick<Registration, 'mailbox' | 'url'> {
  // The run's words stand in it, for whoever comes upon the webhook.
  const label = session.tag;
  const mailbox = session.inbox.kind === 'inbox' ? session.inbox.open(secret, label) : null;
  const nowhere = `https://conformance.invalid/hooks/${label}/${randomBytes(12).toString('hex')}`;
  return { mailbox, url: mailbox?.url ?? nowhere };
}

/**
 * The body of a registration for another URL, which agrees to it as the given one did: a deployment that asks the URL
 * first, or refuses one that is known, sees no other difference.
 */
export function copyOf(
  session: Session,
  { chosen, url, attempt }: Registration,
): { readonly tag: string; readonly body: unknown } {
  const { url: other } = openUrl(session, chosen);
  return { tag: other, body: reword(attempt.body, url, other) };
}

/** Whether a registration asks for an event; one that names none, whatever it names instead, may be sent every one. */
export function asksFor({ attempt: { body } }: { readonly attempt: Pick<Attempt, 'body'> }, kind: EventKind): boolean {
  const asked = walk(body)
    .map(({ value }) => value)
    .filter((value) => typeof value === 'string')
    .filter((text) => eventSpelled(text) !== undefined || /^([a-z]+[._:])?\*$/.test(text));
  const covers = (text: string): boolean =>
    eventSpelled(text) === kind || (text.endsWith('*') && kind.startsWith(text.slice(0, -1)));
  return asked.length === 0 || asked.some(covers);
}

/** The secrets that a webhook's deliveries may be signed with, likeliest first. */
interface Secrets {
  readonly candidates: readonly string[];
  /** The deployment showed it, or took ours and showed that: no other is in question. */
  readonly isCertain: boolean;
}

/** Secrets that came with a handshake. */
const handedOver = (mailbox: Registration['mailbox']): string[] =>
  (mailbox?.handshakes ?? []).flatMap(({ secret }) => secret ?? []);

/**
 * What is known of a webhook's secret: sent in a handshake, shown on registration under whatever name, chosen, or set by the
 * user; what looks like one and is named for nothing of the kind comes last.
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
): Secrets {
  // What the webhook goes by is called a key, or another thing, now and then.
  const shown = isSuccess(answer) ? shownIn(answer, body).filter(({ value }) => value !== id) : [];
  // Guided by refusals, the registration may have left the secret out, or sent another.
  const sent = [...(walk(body).some(({ value }) => value === chosen) ? [chosen] : []), ...secretsIn(body)];
  const echoed = isSuccess(answer)
    ? [chosen, ...sent].filter((one) => answer.unredacted(({ holds }) => holds(one)))
    : [];
  const named = [...handedOver(mailbox), ...shown.filter((one) => one.named).map(({ value }) => value)];
  // Who sets one says that the deployment neither takes nor shows it: what looks like one is for something else, then.
  const isCertain = settings.WEBHOOK_SECRET === undefined && (echoed.length > 0 || named.length > 0);
  const candidates = [
    ...echoed,
    ...named,
    ...[settings.WEBHOOK_SECRET ?? []].flat(),
    ...sent,
    ...shown.map(({ value }) => value),
  ];
  return { candidates: [...new Set(candidates)], isCertain };
}

/** What an answer to a registration shows that was not sent and may be its secret. */
function shownIn(answer: Answer, sent: unknown): readonly SecretCandidate[] {
  const names = (answer.exchange.response?.headers ?? []).map(([name]) => name);
  return answer.unredacted(({ json, header }) =>
    secretCandidates(
      json,
      [...new Set(names)].map((name) => [name, header(name) ?? '']),
      sent,
    ),
  );
}

import { addressOf } from '../../../../fixtures/addresses.ts';
import { slotAt } from '../../../../fixtures/slots.ts';
import type { Body, BodyContext, Kind } from '../../../../fixtures/workspace-bodies.ts';
import { fillBody, isoOf, usesWord } from '../../../../settings/bodies-file.ts';
import type { Session } from '../../../session/session.ts';
import { wrapped } from '../../../shared/complaints/wrapper.ts';
import type { Attempt } from '../../../shared/records.ts';
import { secretsIn } from '../events/secrets.ts';
import { creating } from '../kinds.ts';
import { nextSlot } from './booking-slots.ts';
import { asksForEvents, bodyOf, type Recipe } from './recipes.ts';

/** What a registration of a webhook needs. */
export type Extra = Pick<BodyContext, 'url' | 'secret'> & {
  /** The events that it asks for; null: the body names none. */
  readonly events?: readonly string[] | null;
};

/** The records to which a body refers. */
interface WantedReferences {
  readonly agent: boolean;
  readonly lead: boolean;
  /** Whether the lead must be one to which no other body refers. */
  readonly ownLead?: boolean;
}

type ReferenceIds = Pick<BodyContext, 'agentId' | 'leadId'>;

/** Records on which a create depends. */
export interface References {
  /** Makes the records to which a body refers, and gives their ids. */
  readonly ids: (wanted: WantedReferences) => Promise<ReferenceIds>;
  /** Gives a record of another kind whose id a read has confirmed; null: a call reads records of this kind. */
  readonly confirmedRecord: () => Promise<Attempt | null>;
  /** Creates another record of the kind, where a clause needs one: then one reading of the list shows both. */
  readonly companion?: (() => Promise<unknown>) | undefined;
}

export const noReferences: References = { ids: async () => ({}), confirmedRecord: async () => null };

/** A body for a create. */
export interface Composed {
  /** Words that are in this body and in no other. */
  readonly tag: string;
  readonly body: unknown;
  /** The fields without their wrapper. */
  readonly fields: Body;
}

/** What a body is composed from. */
export interface Composing {
  readonly kind: Kind;
  /** A recipe; `own`: the user's body. */
  readonly method: Recipe | 'own';
  readonly extra: Extra;
  readonly references: References;
  readonly ownLead?: boolean;
}

/** Composes a body for another record, with words, addresses and a time that no other body of the run has. */
export async function compose(session: Session, composing: Composing): Promise<Composed> {
  const { kind, method, extra, references, ownLead = false } = composing;
  const { tag: words, number } = session.nextRecord();
  // A webhook may have no field for words; the last part of its URL is its own.
  const tag = extra.url === undefined ? words : (extra.url.split('/').at(-1) ?? words);
  if (method === 'own') {
    const usersBody = session.userBodies[creating(kind)];
    const wanted = { agent: usesWord(usersBody, 'agent_id'), lead: usesWord(usersBody, 'lead_id'), ownLead };
    const ids = await references.ids(wanted);
    const filling = { ...(await wordsFor(session, usersBody, { tag: words, number })), ...fillingOf(extra, ids) };
    const body = fillBody(usersBody, filling);
    return { tag, body, fields: body as Body };
  }
  // Only bookings take a time from the calendar, which may end in two weeks.
  const slot = kind === 'bookings' ? await nextSlot(session, method.plan) : slotAt(session.openedAt, 0);
  const context = { ...contextOf(session, extra), tag, number, slot };
  const withPlaceholders = bodyOf(kind, method, { ...context, ...placeholderIds }).fields;
  const text = JSON.stringify(withPlaceholders);
  const agent = text.includes(placeholderIds.agentId);
  const lead = text.includes(placeholderIds.leadId);
  const ids = await references.ids({ agent, lead, ownLead });
  // Without a placeholder for an id that is not wanted, the values of its field would be counted otherwise.
  const known = {
    agentId: agent ? ids.agentId : placeholderIds.agentId,
    leadId: lead ? ids.leadId : placeholderIds.leadId,
  };
  const all = agent || lead ? bodyOf(kind, method, { ...context, ...known }).fields : withPlaceholders;
  const fields = extra.events === null ? withoutEvents(all) : all;
  for (const secret of extra.secret === undefined ? [] : secretsIn(fields)) {
    session.redactor.learn(secret);
  }
  return { tag, fields, body: wrapped(fields, method.wrapper) };
}

type Filling = Parameters<typeof fillBody>[1];

const fillingOf = ({ url, secret }: Extra, { agentId, leadId }: ReferenceIds): Filling => ({
  ...(url === undefined ? {} : { webhook_url: url }),
  ...(secret === undefined ? {} : { webhook_secret: secret }),
  ...(agentId === undefined ? {} : { agent_id: agentId }),
  ...(leadId === undefined ? {} : { lead_id: leadId }),
});

/** What goes into a user's body and differs each time: words, addresses and, where it asks for one, a time. */
export async function wordsFor(
  session: Session,
  usersBody: unknown,
  { tag, number }: { readonly tag: string; readonly number: number },
): Promise<Filling> {
  const words = { run: tag, ...addressOf({ seed: session.seed, tag, number }) };
  if (!usesWord(usersBody, 'slot_start', 'slot_end')) {
    return words;
  }
  const { start, end } = await nextSlot(session, 0);
  return { ...words, slot_start: isoOf(start), slot_end: isoOf(end) };
}

const withoutEvents = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter((entry) => !asksForEvents(entry)));

/** The part of the context that all bodies with the same extras share. */
export const contextOf = (
  { seed }: Session,
  { events, ...extra }: Extra,
): Pick<BodyContext, 'seed' | 'url' | 'secret' | 'events'> => ({
  seed,
  ...extra,
  ...(events ? { events } : {}),
});

/** Stand for ids until it is known which ones a body names. */
export const placeholderIds = { agentId: 'id of some agent', leadId: 'id of some lead' } as const;

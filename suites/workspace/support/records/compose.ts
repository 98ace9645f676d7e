import { addressOf } from '../../../../fixtures/addresses.ts';
import { slotAt } from '../../../../fixtures/slots.ts';
import type { Body, BodyContext, Id, Kind } from '../../../../fixtures/workspace-bodies.ts';
import { fillBody, isoOf, usesWord } from '../../../../settings/bodies-file.ts';
import type { Session } from '../../../session/session.ts';
import type { Attempt } from '../../../shared/records.ts';
import { secretsIn } from '../events/secrets.ts';
import { creating } from '../kinds.ts';
import { asksForEvents, bodyOf, type Recipe, wrapped } from './guess.ts';
import { nextSlot } from './slots.ts';

/** What a record holds besides its own words. */
export type Extra = Pick<BodyContext, 'url' | 'secret'> & {
  /** null: the body names none. */
  readonly events?: readonly string[] | null;
};

/** What a body refers to. */
interface Wanted {
  readonly agent: boolean;
  readonly lead: boolean;
  /** A lead that no other body refers to. */
  readonly ownLead?: boolean;
}

/** Records of other kinds that a create needs. */
export interface References {
  /** Makes those that a body refers to, as far as it has room for them, and gives their ids. */
  readonly ids: (wanted: Wanted) => Promise<Pick<BodyContext, 'agentId' | 'leadId'>>;
  /** Gives a record of another kind whose id a read has confirmed; null: a call reads records of this kind. */
  readonly exemplar: () => Promise<Attempt | null>;
  /** Creates another record of the kind, where a clause needs one: then one reading of the list shows both. */
  readonly companion?: (() => Promise<unknown>) | undefined;
}

export const noReferences: References = { ids: async () => ({}), exemplar: async () => null };

/** A body, and what is to be known of it. */
export interface Composed {
  /** Words that stand in it and in no other. */
  readonly tag: string;
  readonly body: unknown;
  /** The fields without their wrapper. */
  readonly fields: Body;
}

/** How a body is made: the user's own, or by a recipe. */
type Method = Recipe | 'own';

export interface Composing {
  readonly kind: Kind;
  readonly method: Method;
  readonly extra: Extra;
  readonly references: References;
  readonly ownLead?: boolean;
}

/** Makes a body for another record, with words, addresses and a time that no body of the run has had. */
export async function compose(session: Session, { kind, method, ...rest }: Composing): Promise<Composed> {
  const { extra, references, ownLead = false } = rest;
  const { tag: words, number } = session.nextRecord();
  // A webhook may have no field for words; the last part of its URL is its own.
  const tag = extra.url === undefined ? words : (extra.url.split('/').at(-1) ?? words);
  if (method === 'own') {
    const own = session.userBodies[creating(kind)];
    const wanted = { agent: usesWord(own, 'agent_id'), lead: usesWord(own, 'lead_id'), ownLead };
    const ids = await references.ids(wanted);
    const body = fillBody(own, { ...(await wordsFor(session, own, { tag: words, number })), ...filled(extra, ids) });
    return { tag, body, fields: body as Body };
  }
  // What is no booking takes no time from those that are: a calendar may end in two weeks.
  const slot = kind === 'bookings' ? await nextSlot(session, method.plan) : slotAt(session.openedAt, 0);
  const context = { ...contextOf(session, extra), tag, number, slot };
  const sketch = bodyOf(kind, method, { ...context, ...someIds }).fields;
  const wants = (id: string): boolean => JSON.stringify(sketch).includes(id);
  const [agent, lead] = [wants(someIds.agentId), wants(someIds.leadId)];
  const ids = await references.ids({ agent, lead, ownLead });
  const all = agent || lead ? bodyOf(kind, method, { ...context, ...ids }).fields : sketch;
  const fields = extra.events === null ? withoutEvents(all) : all;
  for (const secret of extra.secret === undefined ? [] : secretsIn(fields)) {
    session.redactor.learn(secret);
  }
  return { tag, fields, body: wrapped(fields, method.wrap) };
}

const filled = (
  { url, secret }: Extra,
  { agentId, leadId }: Pick<BodyContext, 'agentId' | 'leadId'>,
): Parameters<typeof fillBody>[1] => ({
  ...(url === undefined ? {} : { webhook_url: url }),
  ...(secret === undefined ? {} : { webhook_secret: secret }),
  ...(agentId === undefined ? {} : { agent_id: textOf(agentId) }),
  ...(leadId === undefined ? {} : { lead_id: textOf(leadId) }),
});

const textOf = (id: Id): string => (typeof id === 'object' ? id.rawJSON : String(id));

/** The words of a user's body that are another's each time: the run's, an address, a time. */
export async function wordsFor(
  session: Session,
  own: unknown,
  { tag, number }: { readonly tag: string; readonly number: number },
): Promise<Parameters<typeof fillBody>[1]> {
  const words = { run: tag, ...addressOf({ seed: session.seed, tag, number }) };
  if (!usesWord(own, 'slot_start', 'slot_end')) {
    return words;
  }
  const { start, end } = await nextSlot(session, 0);
  return { ...words, slot_start: isoOf(start), slot_end: isoOf(end) };
}

const withoutEvents = (fields: Body): Body =>
  Object.fromEntries(Object.entries(fields).filter((entry) => !asksForEvents(entry)));

/** What bodies of a kind have in common. */
export const contextOf = (
  { seed }: Session,
  { events, ...extra }: Extra,
): Pick<BodyContext, 'seed' | 'url' | 'secret' | 'events'> => ({
  seed,
  ...extra,
  ...(events ? { events } : {}),
});

/** Stand for ids while it is asked whether they are wanted. */
export const someIds = { agentId: 'id of some agent', leadId: 'id of some lead' } as const;

import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { fillBody, isoOf, usesWord, type WordValues } from '../../../settings/bodies-file.ts';
import { addressOf } from '../../records/addresses.ts';
import { type Body, type Recipe, withEvents, wrapped } from '../../records/bodies.ts';
import type { Session } from '../../session/session.ts';
import { secretsIn } from '../events/secrets.ts';
import { creating, type Kind } from '../kinds.ts';
import { nextSlot } from './slots.ts';

/** What a registration of a webhook needs. */
export interface Extra {
  readonly url?: string;
  readonly secret?: string;
  /** The events that it asks for; null: the body names none. */
  readonly events?: readonly string[] | null;
}

/** An id as bodies name it. */
export type Id = Exclude<WordValues['lead_id'], undefined>;

/** The records to which a body refers. */
interface WantedReferences {
  readonly agent: boolean;
  readonly lead: boolean;
  /** Whether the lead must be one to which no other body refers. */
  readonly ownLead?: boolean;
}

/** Records on which a create depends. */
export interface References {
  /** Makes the records to which a body refers, and gives their ids. */
  readonly ids: (
    wanted: WantedReferences,
  ) => Promise<{ readonly agentId?: Id | undefined; readonly leadId?: Id | undefined }>;
  /** Creates another record of the kind, where a clause needs one: then one reading of the list shows both. */
  readonly companion?: (() => Promise<unknown>) | undefined;
}

export const noReferences: References = { ids: async () => ({}) };

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
  readonly extra: Extra;
  readonly references: References;
  readonly ownLead?: boolean;
}

/** Composes a body for another record, with words, addresses and a time that no other body of the run has. */
export async function compose(session: Session, recipe: Recipe, composing: Composing): Promise<Composed> {
  const { extra, references, ownLead = false } = composing;
  const { url, secret, events } = extra;
  const { tag: words, number } = session.nextRecord();
  // A webhook may have no field for words; the last part of its URL is its own.
  const tag = url === undefined ? words : (url.split('/').at(-1) ?? words);
  const template = recipe.isUsers || events === undefined ? recipe.template : withEvents(recipe.template, events);
  const wanted = { agent: usesWord(template, 'agent_id'), lead: usesWord(template, 'lead_id'), ownLead };
  const { agentId, leadId } = wanted.agent || wanted.lead ? await references.ids(wanted) : {};
  const fields = fillBody(template, {
    ...(await wordsFor(session, template, { tag: words, number })),
    ...(url === undefined ? {} : { webhook_url: url }),
    ...(secret === undefined ? {} : { webhook_secret: secret }),
    ...(agentId === undefined ? {} : { agent_id: agentId }),
    ...(leadId === undefined ? {} : { lead_id: leadId }),
  }) as Body;
  for (const one of secret === undefined ? [] : secretsIn(fields)) {
    session.redactor.learn(one);
  }
  return { tag, fields, body: wrapped(fields, recipe.wrapper) };
}

/** What differs in each body: words, addresses and, where it asks for one, a time. */
export async function wordsFor(
  session: Session,
  template: unknown,
  { tag, number }: { readonly tag: string; readonly number: number },
): Promise<WordValues> {
  const words = { run: tag, ...addressOf({ seed: session.seed, tag, number }) };
  if (!usesWord(template, 'slot_start', 'slot_end')) {
    return words;
  }
  const { start, end } = await nextSlot(session);
  return { ...words, slot_start: isoOf(start), slot_end: isoOf(end) };
}

/** A record to which a body refers and which could not be made; null: there is none. No id is invented. */
export async function lackingOf(
  kind: Kind,
  template: unknown,
  references: References,
): Promise<'agents' | 'leads' | null> {
  const [agent, lead] = [usesWord(template, 'agent_id'), usesWord(template, 'lead_id')];
  const { agentId, leadId } = agent || lead ? await references.ids({ agent, lead }) : {};
  if (agent && agentId === undefined && kind !== 'agents') {
    return 'agents';
  }
  return lead && leadId === undefined && kind !== 'leads' ? 'leads' : null;
}

export function lacksRecord(kind: Kind, lacking: 'agents' | 'leads'): Inconclusive {
  const message = `${creating(kind)} was not sent: its body refers to one of the ${lacking}, and none could be created`;
  return new Inconclusive({ message, blames: endpointOf(creating(lacking)).clause });
}

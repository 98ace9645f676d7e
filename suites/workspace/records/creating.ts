import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { fillBody, usesWord, type WordValues } from '../../../settings/bodies-file.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { undecided } from '../../engine/expect.ts';
import {
  type Body,
  bodyRefused,
  type Learnt,
  learnBody,
  type Recipe,
  recipesFor,
  refusesGuess,
  withEvents,
  wrapped,
} from '../../records/bodies.ts';
import { linesToTellId } from '../../records/candidates.ts';
import { type Attempt as AnyAttempt, type Posted as AnyPosted, post as postRecord } from '../../records/own.ts';
import { type Answer, isServerFailure, isSuccess } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { secretsIn } from '../events/secrets.ts';
import { creating, type Kind, pathOf } from '../kinds.ts';
import { isAboutTime, wordsFor } from './slots.ts';

/** What a registration of a webhook needs. */
interface Extra {
  readonly url?: string;
  readonly secret?: string;
  /** The events that it asks for; null: the body names none. */
  readonly events?: readonly string[] | null;
}

/** An id as bodies name it. */
export type Id = Exclude<WordValues['lead_id'], undefined>;

/** Records on which a create depends. */
export interface References {
  /** Makes the records to which a body refers, and gives their ids. */
  readonly ids: (
    wanted: Readonly<Record<'agent' | 'lead', boolean>>,
  ) => Promise<{ readonly agentId?: Id | undefined; readonly leadId?: Id | undefined }>;
  /** Creates another record of the kind, where a clause needs one: then one reading of the list shows both. */
  readonly companion?: (() => Promise<unknown>) | undefined;
}

export const noReferences: References = { ids: async () => ({}) };

/** A body for a create. */
interface Composed {
  /** Words that are in this body and in no other. */
  readonly tag: string;
  readonly body: unknown;
  /** The fields without their wrapper. */
  readonly fields: Body;
}

/** What a body is composed from. */
interface Composing {
  readonly kind: Kind;
  readonly extra: Extra;
  readonly references: References;
}

/**
 * Composes a body for another record, with words, addresses and a time that no other body of the run has. Throws
 * Inconclusive where it refers to a record that could not be made: no id is invented.
 */
async function compose(session: Session, recipe: Recipe, { kind, extra, references }: Composing): Promise<Composed> {
  const { url, secret, events } = extra;
  const { tag: words, number } = session.nextRecord();
  // A webhook may have no field for words; the last part of its URL is its own.
  const tag = url === undefined ? words : (url.split('/').at(-1) ?? words);
  const template = recipe.isUsers || events === undefined ? recipe.template : withEvents(recipe.template, events);
  const [agent, lead] = [usesWord(template, 'agent_id'), usesWord(template, 'lead_id')];
  const { agentId, leadId } = agent || lead ? await references.ids({ agent, lead }) : {};
  if (agent && agentId === undefined && kind !== 'agents') {
    throw lacksRecord(kind, 'agents');
  }
  if (lead && leadId === undefined && kind !== 'leads') {
    throw lacksRecord(kind, 'leads');
  }
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

function lacksRecord(kind: Kind, lacking: 'agents' | 'leads'): Inconclusive {
  const message = `${creating(kind)} was not sent: its body refers to one of the ${lacking}, and none could be created`;
  return new Inconclusive({ message, blames: endpointOf(creating(lacking)).clause });
}

/** What is known of a create besides its answer. */
interface Sent {
  readonly kind: Kind;
  readonly recipe: Recipe;
  /** The fields that were sent, without their wrapper. */
  readonly fields: Body;
  /** Composes a body like it for another record, with words, addresses and a time of its own. */
  readonly another: () => Promise<Composed>;
}

/** A create that was answered. Whose ids the answer shows is not found out yet. */
export type Posted = Sent & Omit<AnyPosted, 'proven'> & { readonly proven: () => Promise<Attempt> };

/** A create, and what came of it. */
export type Attempt = Sent & AnyAttempt;

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/** Whether a create was refused for its body; a booking may be refused for its time as well. */
const isRefused = (kind: Kind, answer: Answer, recipe: Recipe): boolean =>
  refusesGuess(answer, recipe) || (kind === 'bookings' && answer.status === 409);

/**
 * Sends a create with the main key. The first create of a kind learns which body is accepted; where none is, the later
 * ones share its answer. Throws Skipped where the settings forbid writes.
 */
export async function post(session: Session, kind: Kind, extra: Extra, references: References): Promise<Posted> {
  const learnt = await learnRecipe(session, kind, extra, references);
  const { recipe, sent, isRefused: isInVain } = learnt;
  return learnt.extra === extra || isInVain ? sent : postLike(session, recipe, { kind, extra, references });
}

/** How records of a kind are created, and what it was learnt with: the record belongs to whoever asked with that. */
type LearntRecipe = Learnt<Posted> & { readonly extra: Extra };

const learnRecipe = stepFor(
  (kind: Kind, _extra: Extra, _references: References) => kind,
  async (session, kind, extra, references): Promise<LearntRecipe> => {
    const call = creating(kind);
    let lacking: unknown;
    const learnt = await learnBody(call, recipesFor(session, call), {
      send: async (recipe) => {
        try {
          return await postLike(session, recipe, { kind, extra, references });
        } catch (error) {
          if (!(error instanceof Inconclusive)) {
            throw error;
          }
          lacking = error;
          return null;
        }
      },
      isRefused: (answer, recipe) => isRefused(kind, answer, recipe),
    });
    if (learnt === null) {
      throw lacking;
    }
    return {
      ...learnt,
      isRefused: learnt.isRefused || !(isSuccess(learnt.sent.answer) || isServerFailure(learnt.sent.answer)),
      extra,
    };
  },
);

/** How often a booking is tried at another time. */
const mostTimes = 3;

/** Sends a create, a booking that is refused for its time at other times. */
async function postLike(session: Session, recipe: Recipe, composing: Composing): Promise<Posted> {
  const { kind } = composing;
  let posted = await postOnce(session, recipe, composing);
  if (isServerFailure(posted.answer) && kind !== 'webhooks') {
    // Once more after a 5xx or no answer; not of a webhook, since two would share a URL.
    return postOnce(session, recipe, composing);
  }
  const isUntimely = ({ answer }: Posted): boolean => isRefused(kind, answer, recipe) && isAboutTime(answer);
  for (let times = 1; kind === 'bookings' && times < mostTimes && isUntimely(posted); times += 1) {
    posted = await postOnce(session, recipe, composing);
  }
  return posted;
}

async function postOnce(session: Session, recipe: Recipe, composing: Composing): Promise<Posted> {
  const { kind, references } = composing;
  const { tag, body, fields } = await compose(session, recipe, composing);
  const { companion } = references;
  const posted = await postRecord(session, pathOf(kind), { tag, body, companion });
  const sent: Sent = { kind, recipe, fields, another: () => compose(session, recipe, composing) };
  return { ...posted, ...sent, proven: async () => ({ ...(await posted.proven()), ...sent }) };
}

/** The record that a create made. Throws Inconclusive, with the clause to blame, where it made none. */
export function assertCreated(attempt: Attempt): Created {
  const { id } = attempt;
  if (id === undefined) {
    throw notCreated(attempt);
  }
  return { ...attempt, id };
}

/** Why a create whose body was refused decides nothing, and what would help. */
export const refusedCreate = ({ kind, answer, recipe }: Attempt): Inconclusive =>
  bodyRefused(
    creating(kind),
    answer,
    recipe,
    kind === 'webhooks' && aboutUrl.test(answer.text) ? { advice: urlAdvice } : {},
  );

/** What refusals of a loopback or plain http URL say: "must be HTTPS", "private addresses are not allowed". */
const aboutUrl =
  /\b(ur[li]|https|host(name)?|localhost|loopback|private (ip|address|network)\w*|publicly|(un)?reachable|resolve\w*)\b/i;

const urlAdvice = 'Set WEBHOOK_PUBLIC_URL to a URL that the deployment accepts, such as one with https://';

/** Why there is no record: in the deployment's own words and, where the body was guessed, with what would decide it. */
function notCreated(attempt: Attempt): Inconclusive {
  const { kind, collection, answer, recipe } = attempt;
  const endpoint = creating(kind);
  if (refusesGuess(answer, recipe)) {
    return refusedCreate(attempt);
  }
  const why = isSuccess(answer)
    ? `nothing shows for certain the id of what was created: ${linesToTellId(collection, answer)}`
    : describeAnswer(answer);
  return undecided(answer, `${endpoint} creates nothing that can be used: ${why}`, endpointOf(endpoint).clause);
}

import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { isoOf, type WordValues } from '../../../settings/bodies-file.ts';
import type { Mailbox } from '../../../webhooks/inbox/inbox.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { addressOf } from '../../records/addresses.ts';
import { type Body, bodyRefused, type Recipe, refusesGuess } from '../../records/bodies.ts';
import { adviceOnId } from '../../records/candidates.ts';
import type { Attempt as AnyAttempt } from '../../records/own.ts';
import { isSuccess } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';

// --- The kinds of records, and the documented calls on them

export type Kind = 'agents' | 'leads' | 'bookings' | 'webhooks';

export const kinds: readonly Kind[] = ['agents', 'leads', 'bookings', 'webhooks'];

/** The collection of a kind of record. */
export const pathOf = (kind: Kind): string => `/v1/${kind}`;

/** The kind of record that an endpoint is about. */
export const kindOf = ({ path }: Pick<Endpoint, 'path'>): Kind => path.split('/')[2] as Kind;

// The documented calls on a kind, as `GET /v1/agents`.

export const listing = (kind: Kind): string => `GET /v1/${kind}`;
export const creating = (kind: Kind): string => `POST /v1/${kind}`;
export const reading = (kind: Kind): string => `GET /v1/${kind}/:id`;
export const changing = (kind: Kind): string => `PATCH /v1/${kind}/:id`;
export const deleting = (kind: Kind): string => `DELETE /v1/${kind}/:id`;

/** Whether records of a kind can be read by id, and changed. */
export const isReadable = (kind: Kind): boolean => kind === 'agents' || kind === 'leads';

// --- How a record is created

/** A URL of the run. */
export interface Receiver {
  readonly url: string;
  /** The secret that the run chose; the deployment may use another. */
  readonly secret: string;
  /** What arrives there; null: the run has no receiver. */
  readonly mailbox: Mailbox | null;
}

/** A body for a create. */
export interface Composed {
  /** Words that are in this body and in no other. */
  readonly tag: string;
  readonly body: unknown;
  /** The fields without their wrapper. */
  readonly fields: Body;
  /** The receiver that it names; undefined: none. */
  readonly receiver: Receiver | undefined;
}

/** A create, and what came of it. */
export interface Attempt extends AnyAttempt, Pick<Composed, 'fields' | 'receiver'> {
  readonly kind: Kind;
  readonly recipe: Recipe;
  /** Composes a body like it for another record, with words, addresses and a time of its own. */
  readonly another: () => Promise<Composed>;
}

/** A record of the run's. */
export type Created = Attempt & { readonly id: string };

/**
 * The record that a create made. Throws Inconclusive where it made none: in the deployment's own words and, where the
 * body was guessed, with what would decide it.
 */
export function assertCreated(attempt: Attempt): Created {
  const { id, kind, collection, answer, recipe } = attempt;
  if (id !== undefined) {
    return { ...attempt, id };
  }
  if (refusesGuess(answer, recipe)) {
    throw refusedCreate(attempt);
  }
  const why = isSuccess(answer) ? 'nothing shows for certain the id of what was created' : describeAnswer(answer);
  const finding = findingOn(answer, {
    message: `${creating(kind)} creates nothing that can be used: ${why}`,
    actual: describeAnswer(answer),
    blames: endpointOf(creating(kind)).clause,
    ...(isSuccess(answer) ? { advice: adviceOnId(collection, answer, attempt.tag) } : {}),
  });
  throw new Inconclusive(finding);
}

/** Why a create whose body was refused decides nothing, and what would help. */
export const refusedCreate = ({ kind, answer, recipe }: Attempt): Inconclusive =>
  bodyRefused(
    creating(kind),
    answer,
    recipe,
    kind === 'webhooks' && aboutUrl.test(answer.text.replace(links, ''))
      ? { advice: urlAdvice, needs: { setting: 'WEBHOOK_PUBLIC_URL' } }
      : {},
  );

/** What refusals of a loopback or plain http URL say: "must be HTTPS", "private addresses are not allowed". */
const aboutUrl =
  /ur[li]s?\b|https?\b|\btls\b|\bssrf\b|host(name)?\b|\bdomain|loopback|\b(private|internal|reserved|local) (ip|address|network)|\bpublic(ly)?\b|reachable|\bresolve|\b127\.0/i;
/** Links to documentation, which may stand in every error: `"doc_url": "https://…"`. */
const links = /"\w+":\s*"https?:\/\/[^"]*"/g;

const urlAdvice = 'Set WEBHOOK_PUBLIC_URL to a URL that the deployment accepts, such as one with https://';

/** Hours of the day, UTC, that are working hours both in Europe and in eastern America, or nearly. */
const hours = [15, 14, 16, 13, 10, 9, 15.5, 14.5, 16.5, 13.5, 10.5, 9.5];
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** No notice is too short, and guests may book that far ahead nearly everywhere. */
const daysAhead = 2;
const daysOfWeek = 7;

/** A time for the record with a number that no other record of the run has: half an hour of a weekday to come. */
function slotOf({ openedAt }: Session, number: number): { readonly slot_start: string; readonly slot_end: string } {
  const first = Math.ceil(openedAt / dayMs) + daysAhead;
  const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * dayMs).getUTCDay());
  const days = Array.from({ length: daysOfWeek }, (_, index) => first + index).filter((day) => !isWeekend(day));
  const day = days[number % days.length] as number;
  const hour = hours[Math.floor(number / days.length) % hours.length] as number;
  const start = day * dayMs + hour * hourMs;
  return { slot_start: isoOf(new Date(start)), slot_end: isoOf(new Date(start + hourMs / 2)) };
}

/** What differs in each body: words, addresses and a time. `tag`: default: the next record's. */
export function nextWords(session: Session, tag?: string): WordValues & { readonly run: string } {
  const { tag: next, number } = session.nextRecord();
  const run = tag ?? next;
  return { run, ...addressOf({ seed: session.seed, tag: run, number }), ...slotOf(session, number) };
}

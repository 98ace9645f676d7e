import { reword } from '../../../common/exact-json.ts';
import { fillBody, isoOf } from '../../../settings/bodies-file.ts';
import { addressOf } from '../../records/addresses.ts';
import { type Body, type Recipe, recipesFor, wrapped } from '../../records/bodies.ts';
import type { Session } from '../../session/session.ts';

/** Words in the bodies of calls that should be accepted, by which lists show what those created. */
export const acceptedMark = ({ tag }: Session): string => `${tag}-accepted`;

/** Words in the bodies of calls that should be refused, or carry another key; `label` says what they are for. */
export const refusedMark = ({ tag }: Session, label: string): string => `${tag}-${label.replace(/\W+/g, '-')}`;

/** The body of a recipe with the mark for accepted calls. */
export function filledFor(session: Session, { template, wrapper }: Recipe): unknown {
  const tag = acceptedMark(session);
  const inHours = (hours: number): string => isoOf(new Date(session.openedAt + hours * 3_600_000));
  const times = { slot_start: inHours(24), slot_end: inHours(25) };
  const words = { run: tag, ...addressOf({ seed: session.seed, tag, number: 0 }), ...times };
  return wrapped(fillBody(template, words), wrapper);
}

/** The body for a documented POST: the user's, where BODIES has one, or the likeliest. */
export function bodyFor(session: Session, endpoint: string): unknown {
  const [recipe] = recipesFor(session, endpoint);
  return recipe && filledFor(session, recipe);
}

/** A body with the mark for refused calls of a label in place of the mark for accepted ones. */
export const remarked = (session: Session, body: unknown, label: string): unknown =>
  body === undefined ? undefined : reword(body, acceptedMark(session), refusedMark(session, label));

export const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

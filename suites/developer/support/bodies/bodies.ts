import { reword } from '../../../../common/exact-json.ts';
import { createDeveloperBodies } from '../../../../fixtures/developer-bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';

/** The JSON object that a call sends. */
export type Body = Record<string, unknown>;

/** Words in the bodies of calls that should be accepted, by which lists show what those created. */
export const acceptedMark = ({ tag }: Session): string => `${tag}-accepted`;

/** Words in the bodies of calls that should be refused, or carry another key; `label` says what they are for. */
export const refusedMark = ({ tag }: Session, label: string): string => `${tag}-${label.replace(/\W+/g, '-')}`;

/** The body for a documented POST: the user's, where BODIES has one, with `{{run}}` replaced; or a generated one. */
export function bodyFor(session: Session, endpoint: string): unknown {
  const mark = acceptedMark(session);
  const users = session.userBodies[endpoint];
  return users === undefined ? createDeveloperBodies(session.seed)[endpoint]?.(mark) : reword(users, '{{run}}', mark);
}

/** A body with the mark for refused calls of a label in place of the mark for accepted ones. */
export const remarked = (session: Session, body: unknown, label: string): unknown =>
  body === undefined ? undefined : reword(body, acceptedMark(session), refusedMark(session, label));

export const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

/** A body that was sent, and the answer to it. */
export interface TriedBody {
  readonly answer: Answer;
  readonly body: unknown;
  /** The refusal of the body that was changed the furthest as refusals ask. */
  readonly furthest?: Answer;
}

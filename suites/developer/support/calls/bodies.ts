import { reword } from '../../../../common/exact-json.ts';
import { createDeveloperBodies } from '../../../../fixtures/developer-bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import { mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { refusesBody } from '../../../shared/complaints/refused-body.ts';
import { sendAs } from '../data/environments.ts';

export type Body = Record<string, unknown>;

/** Stands in bodies that are to be accepted, and is found again in lists that show what was created. */
export const acceptedMark = ({ tag }: Session): string => `${tag}-accepted`;

/** The same for calls that are to be refused, by what they are made for. */
export const refusedMark = ({ tag }: Session, label: string): string => `${tag}-${label.replace(/\W+/g, '-')}`;

/** The body for a documented POST: the user's own where BODIES has one, `{{run}}` replaced; otherwise a generated one. */
export function bodyFor(session: Session, endpoint: string): unknown {
  const mark = acceptedMark(session);
  const own = session.userBodies[endpoint];
  return own === undefined ? createDeveloperBodies(session.seed)[endpoint]?.(mark) : reword(own, '{{run}}', mark);
}

/** A body with the mark of refused calls in place of that of accepted ones. */
export const remarked = (session: Session, body: unknown, label: string): unknown =>
  body === undefined ? undefined : reword(body, acceptedMark(session), refusedMark(session, label));

/** The body without a field. */
export const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

/** A body and the answer to it. */
export interface Tried {
  readonly answer: Answer;
  readonly body: unknown;
}

/**
 * Tries bodies in turn until one is accepted or refused for anything but its body. Where all are refused for that it gives the first: what
 * the deployment says of the likeliest body is what the reader needs to see.
 */
export async function firstAccepted(
  session: Session,
  endpoint: string,
  bodies: readonly [unknown, ...unknown[]],
  key: ApiKey = mainKey(session),
): Promise<Tried> {
  let first: Tried | undefined;
  for (const body of bodies) {
    const tried = { answer: await sendAs(session, endpoint, key, body), body };
    if (!refusesBody(tried.answer)) {
      return tried;
    }
    first ??= tried;
  }
  return first as Tried;
}

import { createDeveloperBodies } from '../../../fixtures/developer-bodies.ts';
import type { Answer } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';

export type Body = Record<string, unknown>;

/** Stands in bodies that are to be accepted, and is found again in lists that show what was created. */
export const acceptedMark = ({ tag }: Session): string => `${tag}-accepted`;

/** The same for calls that are to be refused, by what they are made for. */
export const refusedMark = ({ tag }: Session, label: string): string => `${tag}-${label.replace(/\W+/g, '-')}`;

/** The body for a documented POST: the user's own where BODIES has one, `{{run}}` replaced; otherwise a generated one. */
export function bodyFor(session: Session, endpoint: string): unknown {
  const mark = acceptedMark(session);
  const own = session.userBodies[endpoint];
  return own === undefined
    ? createDeveloperBodies(session.seed)[endpoint]?.(mark)
    : (JSON.parse(JSON.stringify(own).replaceAll('{{run}}', mark)) as unknown);
}

/** A body with the mark of refused calls in place of that of accepted ones. */
export const remarked = (session: Session, body: unknown, label: string): unknown =>
  body === undefined
    ? undefined
    : (JSON.parse(JSON.stringify(body).replaceAll(acceptedMark(session), refusedMark(session, label))) as unknown);

/** The body without a field. */
export const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));

/** A body and the answer to it. */
export interface Tried {
  readonly answer: Answer;
  readonly body: unknown;
}

/** Tries bodies in turn until one is accepted or refused with anything but 400; gives the last one. */
export async function firstAccepted(
  session: Session,
  endpoint: string,
  [first, ...others]: readonly [unknown, ...unknown[]],
): Promise<Tried> {
  const tried = async (body: unknown): Promise<Tried> => ({ answer: await send(session, endpoint, { body }), body });
  let last = await tried(first);
  for (const other of others) {
    if (last.answer.status === 400) {
      last = await tried(other);
    }
  }
  return last;
}

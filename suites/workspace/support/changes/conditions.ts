import { at } from '../../../../common/json.ts';
import type { Answer } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { type Readable, reading } from '../kinds.ts';

/** Headers that a change of a record has to carry: a deployment may change nothing that was changed since it was read. */
export type Condition = Readonly<Record<string, string>>;

/** Whether a change was refused for want of a condition (RFC 9110, 13.1.1; RFC 6585, 3), or without a word. */
export const lacksCondition = ({ status, text, json }: Pick<Answer, 'status' | 'text' | 'json'>): boolean =>
  status === 428 ||
  ([400, 409, 412, 422].includes(status) &&
    (/if[-_ ]?match|precondition/i.test(text) || at(json, '/error/message') === ''));

/** The condition under which the record is as it is read now, where the read shows a tag; then whatever it is like. */
export async function conditionsFor(session: Session, kind: Readable, id: string): Promise<readonly Condition[]> {
  const view = await send(session, reading(kind), { id });
  const tag = view.unredacted(({ header }) => header('ETag'));
  return [...(tag === null ? [] : [{ 'If-Match': tag }]), { 'If-Match': '*' }];
}

import { at } from '../../../../common/json.ts';
import type { Answer } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { type Readable, reading } from '../kinds.ts';

/** Headers that a deployment may demand of a change, so that no change since the last read is overwritten. */
export type Precondition = Readonly<Record<string, string>>;

/** Whether a change was refused for lack of a precondition (RFC 9110, 13.1.1; RFC 6585, 3), or without saying why. */
export const lacksPrecondition = ({ status, text, json }: Pick<Answer, 'status' | 'text' | 'json'>): boolean =>
  status === 428 ||
  ([400, 409, 412, 422].includes(status) &&
    (/if[-_ ]?match|precondition/i.test(text) || at(json, '/error/message') === ''));

/** The preconditions to try: that the record has the tag that a read shows now, if it shows one; that it exists. */
export async function preconditionsFor(session: Session, kind: Readable, id: string): Promise<readonly Precondition[]> {
  const view = await send(session, reading(kind), { id });
  const tag = view.unredacted(({ header }) => header('ETag'));
  return [...(tag === null ? [] : [{ 'If-Match': tag }]), { 'If-Match': '*' }];
}

import { isWrite } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { idIn, showsId } from '../reading/record.ts';
import { type Answer, type ApiKey, isSuccess } from '../session/call.ts';
import { type Session, send } from '../session/session.ts';
import { canDelete, nounOf } from './lists.ts';
import { rowsBefore } from './others.ts';

/** A call with an id that no record has: made up, or that of a record that the run has deleted. */
interface UnknownIdCall {
  readonly collection: string;
  readonly id: string;
  readonly key: ApiKey;
  /** The setting of the key that can delete what the call makes. */
  readonly keySetting: string;
  readonly details: Omit<NonNullable<Parameters<typeof send>[2]>, 'id' | 'key'>;
}

/**
 * Sends a call with an id that no record has. A broken deployment may make a record of that id or of a new one, so a
 * line in the ledger comes before a write. Throws as the client does.
 */
export async function sendWithUnknownId(session: Session, endpoint: string, call: UnknownIdCall): Promise<Answer> {
  const { collection, id, key, keySetting, details } = call;
  const sendIt = (): Promise<Answer> => send(session, endpoint, { ...details, id, key });
  const { method } = endpointOf(endpoint);
  if (!isWrite(method) || method === 'DELETE') {
    return sendIt();
  }
  const { ledger, api, origin } = session;
  const entry = ledger.intend({
    api: api.name,
    origin,
    collection,
    keySetting,
    tag: id,
    ...(canDelete(collection) ? {} : { lasting: true }),
  });
  const isKnown = ledger.all().some((other) => other.collection === collection && other.id === id);
  const answer = await sendIt();
  const shown = answer.unredacted(({ payload }) => idIn(payload, nounOf(collection))) ?? id;
  const earlier = rowsBefore(session, { collection, maker: key, answer });
  const isNew = earlier.length > 0 && !earlier.some(({ row }) => showsId(row, shown));
  // A record that lives again has its own line.
  if (!isSuccess(answer) || (isKnown && shown === id)) {
    ledger.remove(entry);
  } else if (shown === id || isNew) {
    session.writeGuard.allow(collection, shown);
    ledger.identify(entry, shown);
  } else {
    ledger.accept(entry);
  }
  return answer;
}

import { endpointOf } from '../../../contract/endpoints.ts';
import { type Created, type Creation, createRecord } from '../../records/own.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { type Call, callOf } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';

/** A call that is made while the limit is used up, and must be refused as well. */
export interface OtherCall {
  /** Its name in findings: `POST /v1/agents`, `GET /v1/agents in query mode`. */
  readonly route: string;
  /** Sends it once with `send`. */
  make(send: (call: Call) => Promise<Answer>): Promise<Answer>;
}

/** A call that leaves nothing behind. `how` is appended to its name. */
export const plainCall = (call: Call, how = ''): OtherCall => ({
  route: `${call.endpoint?.id ?? `${call.method} ${call.path}`}${queryOf(call)}${how}`,
  make: (send) => send(call),
});

const queryOf = ({ query = {} }: Call): string => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};

/** A create. What it makes is deleted at the end. */
export const createCall = (
  session: Session,
  collection: string,
  what: () => Creation | Promise<Creation>,
): OtherCall => ({
  route: `POST ${collection}`,
  make: async (send) => (await createRecord(session, collection, { ...(await what()), via: send })).answer,
});

/**
 * The deletion of a record that the run made, which no other call of the drive changes. Unless it was refused, the
 * record may be gone and its id, if that is counted, given to somebody's record: then the write guard stops a second
 * one.
 */
export const deleteCall = (
  session: Session,
  key: ApiKey,
  { collection, id, entry }: Omit<Created, 'answer'>,
): OtherCall => ({
  route: `DELETE ${collection}/:id`,
  async make(send) {
    const answer = await send(callOf(endpointOf(`DELETE ${collection}/:id`), key, { id }));
    if (![401, 403, 429].includes(answer.status)) {
      session.writeGuard.revoke(collection, id);
    }
    if (isSuccess(answer)) {
      session.ledger.remove(entry);
    }
    return answer;
  },
});

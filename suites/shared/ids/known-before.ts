import { at } from '../../../common/json.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { ownIds } from '../../session/reading/own-ids.ts';
import { rowsIn } from '../../session/reading/rows.ts';
import type { Session } from '../../session/session.ts';
import { wasDeleted } from '../clean-up/still-there.ts';
import { nounOf } from '../collections.ts';
import { placeOf } from './readable-id.ts';
import type { Unidentified } from './tried-ids.ts';

/**
 * Whether a list showed an id, in the field in which the answer to a create shows it, before the create was sent: then it is that
 * of another record, unless the run has deleted that one since, and counted ids are given out anew.
 */
export function wasKnownBefore(session: Session, made: Unidentified, id: string): boolean {
  const { api, evidence } = session;
  const noun = nounOf(made.collection);
  const field = placeOf(made.answer, id)?.split('/').at(-1);
  const shows = ({ response }: Exchange): boolean =>
    (rowsIn(at(response?.json, api.payload), noun) ?? []).some((row) =>
      ownIds(row, noun).some((one) => one.id === id && (field === undefined || field === one.name)),
    );
  const isEarlier = ({ endpoint, number, receivedAt, keyLabel }: Exchange): boolean =>
    endpoint === `GET ${made.collection}` &&
    number < made.answer.exchange.number &&
    receivedAt <= made.answer.exchange.sentAt &&
    isOfStore(keyLabel, made.maker.label);
  return evidence.exchanges.some((one) => isEarlier(one) && shows(one)) && !wasDeleted(session, id);
}

/** Whether a key reads the store in which a record was made: those of one workspace do; other stores may count ids alike. */
export const isOfStore = (label: string | null, maker: string): boolean =>
  label === maker || (/^WORKSPACE_/.test(label ?? '') && label !== 'WORKSPACE_OTHER_API_KEY');

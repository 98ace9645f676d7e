import type { Finding } from '../../../../results/verdict.ts';
import type { Received } from '../../../../webhooks/inbox/inbox.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { isUnguessable } from '../../../session/reading/unguessable.ts';
import type { Session } from '../../../session/session.ts';
import { wasDeleted } from '../../../shared/clean-up/still-there.ts';
import type { Tried } from '../permissions/arrange.ts';
import type { Created } from '../records/create.ts';
import { cancellationAnnounced } from './caused-events.ts';
import { listeners, looksAtDeliveries } from './listeners.ts';
import { brings, isAbout } from './payload.ts';

/** A delivery that tells of a booking which a refused call was to make or to cancel; null: none has come by now. */
export async function announcedThough(session: Session, refused: readonly Tried[]): Promise<Finding | null> {
  const all = looksAtDeliveries(session) ? await resultOrNull(listeners(session)) : null;
  const deliveries = all?.flatMap(({ mailbox }) => mailbox.deliveries) ?? [];
  const isTelling = !(await cancelledUnasked(session, deliveries));
  const isAnnounced = ({ words, record, answer }: Tried): boolean =>
    deliveries
      .filter(({ receivedAt }) => receivedAt > answer.exchange.sentAt)
      .some((delivery) =>
        words === null
          ? isTelling &&
            record !== null &&
            !wasDeleted(session, record.id) &&
            brings(delivery, 'booking.cancelled', surely(record))
          : isAbout(delivery, { id: words, tag: words }),
      );
  const announced = refused.find(isAnnounced);
  return announced === undefined
    ? null
    : findingOn(announced.answer, {
        message: `Write that was refused with ${announced.answer.status} took effect: a delivery announces ${announced.words ?? `that ${announced.record?.id} is cancelled`}`,
        expected: 'no effect',
        actual: 'an event',
      });
}

/** Whether a booking was said to be cancelled before anybody cancelled it: then such news tells of no call. */
async function cancelledUnasked(session: Session, deliveries: readonly Received[]): Promise<boolean> {
  const cancelled = deliveries.length === 0 ? null : await resultOrNull(cancellationAnnounced(session));
  return (
    cancelled !== null &&
    deliveries.some(
      (delivery) =>
        delivery.receivedAt < cancelled.since && brings(delivery, 'booking.cancelled', surely(cancelled.booking)),
    )
  );
}

/** A number that stands for a booking may stand for another one elsewhere: its words tell it then. */
const surely = ({ id, tag }: Pick<Created, 'id' | 'tag'>): Pick<Created, 'id' | 'tag'> => ({
  id: isUnguessable(id) ? id : tag,
  tag,
});

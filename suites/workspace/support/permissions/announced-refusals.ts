import type { Finding } from '../../../../results/verdict.ts';
import type { Received } from '../../../../webhooks/inbox/mailbox.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import { isUnguessable } from '../../../reading/unguessable.ts';
import { wasDeleted } from '../../../records/still-there.ts';
import type { Session } from '../../../session/session.ts';
import { announces, isAbout } from '../../events/payload.ts';
import { cancellationAnnouncement } from '../../events/story.ts';
import { listeners, needsDeliveries } from '../../events/subscribe.ts';
import type { Created } from '../../records/creating.ts';
import type { TriedCall } from './arrange.ts';

/** The finding on a delivery about a booking that a refused call would have created or cancelled; null: none came. */
export async function announcedDespiteRefusal(
  session: Session,
  refused: readonly TriedCall[],
): Promise<Finding | null> {
  const webhooks = needsDeliveries(session) ? await resultOrNull(listeners(session)) : null;
  const deliveries = webhooks?.flatMap(({ mailbox }) => mailbox.deliveries) ?? [];
  const areCancellationsReliable = !(await isAnnouncedTooEarly(session, deliveries));
  const isCancelled = (delivery: Received, record: Created): boolean =>
    areCancellationsReliable &&
    !wasDeleted(session, record) &&
    announces(delivery, 'booking.cancelled', identifiedSafely(record));
  const isAnnounced = ({ words, record, answer }: TriedCall): boolean => {
    const later = deliveries.filter(({ receivedAt }) => receivedAt > answer.exchange.sentAt);
    return words === null
      ? record !== null && later.some((delivery) => isCancelled(delivery, record))
      : later.some((delivery) => isAbout(delivery, { id: words, tag: words }));
  };
  const announced = refused.find(isAnnounced);
  return announced === undefined
    ? null
    : findingOn(announced.answer, {
        message: `Write that was refused with ${announced.answer.status} took effect: a delivery announces ${announced.words ?? `that ${announced.record?.id} is cancelled`}`,
        expected: 'no effect',
        actual: 'an event',
      });
}

/** Whether a booking was announced as cancelled before any call cancelled it: then such deliveries prove nothing. */
async function isAnnouncedTooEarly(session: Session, deliveries: readonly Received[]): Promise<boolean> {
  const cancellation = deliveries.length === 0 ? null : await resultOrNull(cancellationAnnouncement(session));
  if (cancellation === null) {
    return false;
  }
  const { since, booking } = cancellation;
  return deliveries.some(
    (delivery) => delivery.receivedAt < since && announces(delivery, 'booking.cancelled', identifiedSafely(booking)),
  );
}

/** A booking by its id, or by its words alone where the id can be guessed, since another record may have the same. */
const identifiedSafely = ({ id, tag }: Pick<Created, 'id' | 'tag'>): Pick<Created, 'id' | 'tag'> => ({
  id: isUnguessable(id) ? id : tag,
  tag,
});

import { eventsIn } from '../../../webhooks/events/read.ts';
import type { Received } from '../../../webhooks/inbox/inbox.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { leavesOf, parseBody } from '../../../webhooks/signature/read/leaves.ts';
import { findTokens, isSignatureNamed } from '../../../webhooks/signature/read/tokens.ts';
import type { Session } from '../../session/session.ts';
import { pathOf } from './kinds.ts';
import type { Listener } from './listeners.ts';
import { isAbout } from './payload.ts';

/**
 * Whether the first delivery to a webhook makes sure of its receiver, and tells of nothing that the run made: it names no event, or,
 * unsigned and while it is being registered, none of those that the document names.
 */
export const isGreeting = ({ ledger }: Session, { attempt }: Listener, first: Received): boolean => {
  const isEarly = first.receivedAt <= attempt.answer.exchange.receivedAt && !isSigned(first);
  return (
    eventsIn(first).every(
      ({ found, ...one }) => found === 'nothing' || (isEarly && 'kind' in one && one.kind === null),
    ) &&
    !ledger
      .all()
      .some(
        ({ collection, id, tag }) =>
          collection !== pathOf('webhooks') && isAbout(first, { id: surely(id) ?? tag, tag }),
      )
  );
};

const isSigned = (delivery: Delivery): boolean =>
  findTokens(delivery, leavesOf(parseBody(delivery))).some(({ source }) => isSignatureNamed(source));

/** Records of two kinds may have the same short id. */
const surely = (id: string | undefined): string | undefined => (id !== undefined && id.length >= 8 ? id : undefined);

import type { Redactor } from '../../../common/redact.ts';
import { utf8Text } from '../../../common/utf8.ts';
import type { ReceivedDelivery } from '../../../results/verdict.ts';
import type { Inbox, NoInbox } from '../../../webhooks/inbox/inbox.ts';

/** A session that may have received webhook deliveries. */
interface Receiving {
  readonly inbox: Inbox | NoInbox;
  readonly redactor: Redactor;
}

/** The webhook deliveries that a session received, redacted, as reports show them. */
export function receivedBy({ inbox, redactor }: Receiving): ReceivedDelivery[] {
  const deliveries = inbox.kind === 'inbox' ? inbox.deliveries : [];
  return deliveries.map(({ method, registeredUrl, headers, body, answered, receivedAt }) => {
    const text = utf8Text(body);
    return {
      method: redactor.clean(method),
      url: registeredUrl,
      headers: headers.map(([name, value]) => [redactor.clean(name), redactor.clean(value)] as const),
      body: text === undefined ? redactor.clean(body.toString('base64')) : redactor.cleanBody(text),
      encoding: text === undefined ? 'base64' : 'utf8',
      answered,
      receivedAt,
    };
  });
}

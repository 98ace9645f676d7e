import type { Redactor } from '../../common/redact.ts';
import type { ReceivedDelivery } from '../../results/verdict.ts';
import type { Inbox, NoInbox } from '../../webhooks/inbox/inbox.ts';

/** A session that may have received webhook deliveries. */
interface Receiving {
  readonly inbox: Inbox | NoInbox;
  readonly redactor: Redactor;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as its text, or in base64 where it is no text. */
function textOf(body: Buffer): Pick<ReceivedDelivery, 'body' | 'encoding'> {
  try {
    return { body: utf8.decode(body), encoding: 'utf8' };
  } catch {
    return { body: body.toString('base64'), encoding: 'base64' };
  }
}

/** The webhook deliveries that a session received, redacted, as reports show them. */
export function receivedBy({ inbox, redactor }: Receiving): ReceivedDelivery[] {
  const all = inbox.kind === 'inbox' ? inbox.deliveries : [];
  return all.map(({ method, registeredUrl, headers, body, receivedAt }) => {
    const { body: text, encoding } = textOf(body);
    return {
      method: redactor.clean(method),
      url: registeredUrl,
      headers: headers.map(([name, value]) => [redactor.clean(name), redactor.clean(value)] as const),
      body: redactor.clean(text),
      encoding,
      receivedAt,
    };
  });
}

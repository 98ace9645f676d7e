import { createHmac } from 'node:crypto';
import { isObject, isScalar, member, parseJson } from '../../common/json.ts';
import { eventsIn } from '../events/read.ts';
import { type Arrived, headerValues } from '../signature/delivery.ts';

/** An answer to a request. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const text = (body: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain', ...headers },
  body,
});
export const json = (body: object): Reply => text(JSON.stringify(body), { 'Content-Type': 'application/json' });

/**
 * The right answer to a usual handshake, by which a sender verifies its receiver before it delivers; null if the request
 * is none, and so a delivery. `delivers`: it is also one, since some senders shake hands in each. `given`: the signing
 * secret, if the sender hands it over.
 */
export function answerHandshake(arrived: Arrived, secret: string) {
  const { method, url, headers, body } = arrived;
  const header = (name: string): string | undefined => headerValues({ headers }, name)[0];
  const namesEvent = (): boolean => eventsIn(arrived).some(({ name }) => name !== null);
  const given = header('x-hook-secret');
  const answer = (reply: Reply, mayDeliver = false) => ({ reply, delivers: mayDeliver && namesEvent(), given });
  if (method === 'OPTIONS') {
    // CloudEvents: HTTP webhook.
    const origin = header('webhook-request-origin') ?? '*';
    const allowed = { Allow: 'POST', 'WebHook-Allowed-Origin': origin, 'WebHook-Allowed-Rate': '*' };
    return answer(text('', allowed));
  }
  if (given !== undefined && method !== 'HEAD') {
    // Asana: the secret comes in a header, and is sent back in the same header.
    return answer(text('', { 'X-Hook-Secret': given }), true);
  }
  // WebSub's and Meta's hub.challenge, Microsoft Graph's validationToken.
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const asked = query.get('hub.challenge') ?? query.get('challenge');
  const token = query.get('validationToken');
  if (asked !== null || token !== null) {
    return answer(text(asked ?? token ?? ''));
  }
  // Slack's and Twitch's challenge, Zoom's plainToken. Larger bodies than handshakes have are not parsed.
  const parsed = body.length > 16_384 ? undefined : parseJson(body.toString('utf8'));
  const { challenge, payload, data } = isObject(parsed) ? parsed : {};
  if (isScalar(challenge)) {
    // Twitch wants the bare text; others take either, or only JSON.
    const isTwitch = header('twitch-eventsub-message-type') !== undefined;
    // A handshake may name the event that is subscribed to; only a delivery has its object beside that.
    return answer(isTwitch ? text(`${challenge}`) : json({ challenge }), isObject(data));
  }
  const plainToken = member(payload, 'plainToken');
  if (typeof plainToken === 'string') {
    const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
    return answer(json({ plainToken, encryptedToken }));
  }
  if (method === 'HEAD' || ((method === 'GET' || body.length === 0) && !namesEvent())) {
    return answer(text(method === 'HEAD' ? '' : 'ok'));
  }
  return null;
}

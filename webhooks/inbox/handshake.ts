import { createHmac } from 'node:crypto';
import { isObject, parseJson } from '../../common/json.ts';
import { eventsIn } from '../events/read.ts';
import { headerValues } from '../signature/delivery.ts';
import type { Arrived, Handshake, Reply } from './mailbox.ts';

interface AnsweredHandshake {
  readonly handshake: Handshake;
  readonly reply: Reply;
  /** Whether the request is also a delivery: some senders shake hands in each. */
  readonly delivers: boolean;
}

const text = (body: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain', ...headers },
  body,
});
const json = (body: object): Reply => text(JSON.stringify(body), { 'Content-Type': 'application/json' });

/** The right answer to a usual handshake; null if the request is none, and so a delivery. */
export function answerHandshake(arrived: Arrived, secret: string): AnsweredHandshake | null {
  const { method, headers } = arrived;
  const answer = (handshake: Handshake, reply: Reply, delivers = false): AnsweredHandshake => ({
    ...{ handshake, reply, delivers },
  });
  if (method === 'OPTIONS') {
    // CloudEvents: HTTP webhook.
    const origin = headerValues({ headers }, 'webhook-request-origin')[0] ?? '*';
    const allowed = { Allow: 'POST', 'WebHook-Allowed-Origin': origin, 'WebHook-Allowed-Rate': '*' };
    return answer({ name: 'OPTIONS' }, text('', allowed));
  }
  if (method === 'HEAD') {
    return answer({ name: 'HEAD' }, text(''));
  }
  const namesEvent = (): boolean => eventsIn(arrived).some(({ found }) => found === 'event');
  const [given] = headerValues({ headers }, 'x-hook-secret');
  if (given !== undefined) {
    // Asana: the secret comes in a header, and is sent back in the same header.
    return answer({ name: 'X-Hook-Secret', secret: given }, text('', { 'X-Hook-Secret': given }), namesEvent());
  }
  const echoed = inQuery(arrived) ?? inBody(arrived, secret);
  if (echoed !== null) {
    return answer({ name: echoed.name }, echoed.reply, echoed.mayDeliver && namesEvent());
  }
  const isEmpty = method === 'GET' || arrived.body.length === 0;
  return isEmpty && !namesEvent() ? answer({ name: method === 'GET' ? 'GET' : 'empty body' }, text('ok')) : null;
}

interface Echo {
  readonly name: 'challenge' | 'validationToken' | 'plainToken';
  readonly reply: Reply;
  readonly mayDeliver: boolean;
}

/** WebSub's and Meta's hub.challenge, Microsoft Graph's validationToken. */
function inQuery({ url }: Arrived): Echo | null {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const challenge = query.get('hub.challenge') ?? query.get('challenge');
  const echoed = challenge ?? query.get('validationToken');
  const name = challenge === null ? 'validationToken' : 'challenge';
  return echoed === null ? null : { name, reply: text(echoed), mayDeliver: false };
}

/** Slack's and Twitch's challenge, Zoom's plainToken. Larger bodies than handshakes have are not parsed. */
function inBody({ body, headers }: Arrived, secret: string): Echo | null {
  const parsed = body.length > 16_384 ? undefined : parseJson(body.toString('utf8'));
  const { challenge, payload, data } = isObject(parsed) ? parsed : {};
  if (typeof challenge === 'string' || typeof challenge === 'number') {
    // Twitch wants the bare text; others take either, or only JSON.
    const isTwitch = headerValues({ headers }, 'twitch-eventsub-message-type').length > 0;
    // A handshake may name the event that is subscribed to; only a delivery has its object beside that.
    return {
      name: 'challenge',
      reply: isTwitch ? text(String(challenge)) : json({ challenge }),
      mayDeliver: isObject(data),
    };
  }
  const plainToken = isObject(payload) ? payload.plainToken : undefined;
  if (typeof plainToken !== 'string') {
    return null;
  }
  const encryptedToken = createHmac('sha256', secret).update(plainToken).digest('hex');
  return { name: 'plainToken', reply: json({ plainToken, encryptedToken }), mayDeliver: false };
}

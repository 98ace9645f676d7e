import { createHmac, type Hmac } from 'node:crypto';
import { isObject, type JsonObject } from '../../common/json.ts';
import { type EventReading, eventsIn } from '../events/read.ts';
import { headerValues } from '../signature/delivery.ts';
import type { Arrived, Reply } from './request.ts';

/** A request by which a sender checks its receiver before it delivers. */
export interface Handshake {
  readonly name:
    | 'OPTIONS'
    | 'HEAD'
    | 'GET'
    | 'empty body'
    | 'X-Hook-Secret'
    | 'challenge'
    | 'plainToken'
    | 'validationToken'
    | 'crc_token';
  /** The secret that the sender handed over with it. */
  readonly secret?: string;
}

interface AnsweredHandshake {
  readonly handshake: Handshake;
  readonly reply: Reply;
  /** It brings an event as well: some senders shake hands with each delivery. */
  readonly delivers: boolean;
}

type Answered = Omit<AnsweredHandshake, 'delivers'>;

const text = (body: string, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain', ...headers },
  body,
});
const json = (body: JsonObject): Reply => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const hmac = (secret: string, content: string): Hmac => createHmac('sha256', secret).update(content);

/** The right answer to a usual handshake; null for everything else, which then is a delivery. */
export function answerHandshake(arrived: Arrived, secret: string): AnsweredHandshake | null {
  const plain = byMethod(arrived);
  if (plain !== null) {
    return { ...plain, delivers: false };
  }
  const asked = byHeader(arrived) ?? byQuery(arrived, secret) ?? byBody(arrived, secret);
  const silent = arrived.method === 'GET' || arrived.body.length === 0;
  if (asked === null && !silent) {
    return null;
  }
  const events = eventsIn(arrived).filter((one) => one.found === 'event');
  if (asked === null) {
    const name = arrived.method === 'GET' ? 'GET' : 'empty body';
    return events.length > 0 ? null : { handshake: { name }, reply: text('ok'), delivers: false };
  }
  const delivers =
    asked.handshake.name === 'X-Hook-Secret'
      ? events.length > 0
      : events.some((one) => isOfDelivery(one, parse(arrived.body)));
  return { ...asked, delivers };
}

/** Verification calls name their kind, too, and the events that they are about; a delivery also tells what happened. */
function isOfDelivery(one: EventReading, body: JsonObject | null): boolean {
  if (one.found !== 'event' || one.kind === null) {
    return false;
  }
  const [, holder, ...inner] = one.place.split('/');
  const besides = Object.entries(body ?? {}).filter(([name]) => name !== holder);
  return inner.length === 0 || besides.some(([, value]) => isObject(value));
}

/** OPTIONS as CloudEvents' webhook specification asks; HEAD as senders that look whether anybody is there. */
function byMethod({ method, headers }: Arrived): Answered | null {
  if (method === 'OPTIONS') {
    const origin = headerValues({ headers }, 'webhook-request-origin')[0] ?? '*';
    const allowed = {
      Allow: 'POST, PUT, GET, HEAD, OPTIONS',
      'WebHook-Allowed-Origin': origin,
      'WebHook-Allowed-Rate': '*',
    };
    return { handshake: { name: 'OPTIONS' }, reply: { status: 200, headers: allowed, body: '' } };
  }
  return method === 'HEAD' ? { handshake: { name: 'HEAD' }, reply: { status: 200, headers: {}, body: '' } } : null;
}

/** Asana's: the secret comes in a header, and goes back in it. */
function byHeader({ headers }: Arrived): Answered | null {
  const [given] = headerValues({ headers }, 'x-hook-secret');
  return given === undefined
    ? null
    : {
        handshake: { name: 'X-Hook-Secret', secret: given },
        reply: { status: 200, headers: { 'X-Hook-Secret': given }, body: '' },
      };
}

/** WebSub's and Meta's hub.challenge, Microsoft's validationToken, Twitter's crc_token. */
function byQuery({ url }: Arrived, secret: string): Answered | null {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  const challenge = query.get('hub.challenge') ?? query.get('challenge');
  if (challenge !== null) {
    return { handshake: { name: 'challenge' }, reply: text(challenge) };
  }
  const token = query.get('validationToken');
  if (token !== null) {
    return { handshake: { name: 'validationToken' }, reply: text(token) };
  }
  const crc = query.get('crc_token');
  const answer = { response_token: `sha256=${crc === null ? '' : hmac(secret, crc).digest('base64')}` };
  return crc === null ? null : { handshake: { name: 'crc_token' }, reply: json(answer) };
}

/** Slack's and Twitch's challenge, Zoom's plainToken. */
function byBody({ body: bytes, headers }: Arrived, secret: string): Answered | null {
  const body = parse(bytes);
  if (body === null) {
    return null;
  }
  const { challenge } = body;
  if (typeof challenge === 'string' || typeof challenge === 'number') {
    // Twitch wants the bare text; others take either, or JSON alone.
    const bare = headerValues({ headers }, 'twitch-eventsub-message-type').length > 0 || isObject(body.subscription);
    return { handshake: { name: 'challenge' }, reply: bare ? text(String(challenge)) : json({ challenge }) };
  }
  const plainToken = isObject(body.payload) ? body.payload.plainToken : body.plainToken;
  if (typeof plainToken !== 'string') {
    return null;
  }
  return {
    handshake: { name: 'plainToken' },
    reply: json({ plainToken, encryptedToken: hmac(secret, plainToken).digest('hex') }),
  };
}

/** Handshakes are small: a large body is a delivery, and is not parsed. */
function parse(body: Buffer): JsonObject | null {
  if (body.length === 0 || body.length > 16_384) {
    return null;
  }
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

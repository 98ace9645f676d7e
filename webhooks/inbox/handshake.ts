import { createHmac, type Hmac } from 'node:crypto';
import { isObject, type JsonObject, parseJson, walk } from '../../common/json.ts';
import { type EventReading, eventsIn } from '../events/read.ts';
import { headerValues } from '../signature/delivery.ts';
import type { Arrived, Handshake, Reply } from './mailbox.ts';

interface AnsweredHandshake {
  readonly handshake: Handshake;
  readonly reply: Reply;
  /** Whether the request is also a delivery: some senders shake hands in each. */
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

/** The right answer to a usual handshake; null if the request is none, and so a delivery. */
export function answerHandshake(arrived: Arrived, secret: string): AnsweredHandshake | null {
  const byItsMethod = byMethod(arrived);
  if (byItsMethod !== null) {
    return { ...byItsMethod, delivers: false };
  }
  const answered = byHeader(arrived) ?? byQuery(arrived, secret) ?? byBody(arrived, secret);
  const isEmpty = arrived.method === 'GET' || arrived.body.length === 0;
  if (answered === null && !isEmpty) {
    return null;
  }
  const events = eventsIn(arrived).filter((one) => one.found === 'event');
  if (answered === null) {
    const name = arrived.method === 'GET' ? 'GET' : 'empty body';
    return events.length > 0 ? null : { handshake: { name }, reply: text('ok'), delivers: false };
  }
  return { ...answered, delivers: events.some((one) => delivers(one, answered.handshake, arrived)) };
}

/** Whether a request that looks like a handshake delivers an event, too. A booking may have a link to confirm it. */
function delivers(one: EventReading, { name }: Handshake, { body }: Arrived): boolean {
  if (name === 'confirmation link' || name === 'validationCode') {
    return one.found === 'event' && one.kind !== null;
  }
  return name === 'X-Hook-Secret' || isOfDelivery(one, parse(body));
}

/**
 * Whether an event was delivered. A handshake may name events too, but only a delivery has an object beside the name.
 */
function isOfDelivery(one: EventReading, body: JsonObject | null): boolean {
  if (one.found !== 'event' || one.kind === null) {
    return false;
  }
  const [, holder, ...inner] = one.place.split('/');
  const others = Object.entries(body ?? {}).filter(([name]) => name !== holder);
  return inner.length === 0 || others.some(([, value]) => isObject(value));
}

/** OPTIONS by CloudEvents' webhook specification, and HEAD, by which senders see whether the receiver is there. */
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

/** Asana's handshake: the secret comes in a header, and is sent back in the same header. */
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

/**
 * Slack's and Twitch's challenge, Zoom's plainToken, the code of Azure Event Grid. A link to confirm by, as of Amazon SNS,
 * is not followed: a run calls its targets alone.
 */
function byBody({ body: bytes, headers }: Arrived, secret: string): Answered | null {
  const leaves = walk(parseSmall(bytes));
  const code = leaves.find(({ name, value }) => /^validation_?code$/i.test(name) && typeof value === 'string')?.value;
  if (code !== undefined) {
    return { handshake: { name: 'validationCode' }, reply: json({ validationResponse: code }) };
  }
  if (leaves.some(({ name, value }) => confirmsBy.test(name) && typeof value === 'string' && /^https?:/.test(value))) {
    return { handshake: { name: 'confirmation link' }, reply: text('ok') };
  }
  const body = parse(bytes);
  if (body === null) {
    return null;
  }
  const { challenge } = body;
  if (typeof challenge === 'string' || typeof challenge === 'number') {
    // Twitch wants the bare text; others take either, or only JSON.
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

/** Fields with the link by which a receiver confirms a subscription. */
const confirmsBy = /^(subscribe|subscription|confirm(ation)?|validation|verif(y|ication))_?(url|uri|link)$/i;

/** The body as an object; null if it is none. */
function parse(body: Buffer): JsonObject | null {
  const value = parseSmall(body);
  return isObject(value) ? value : null;
}

/** The body as JSON; undefined if it is none. Larger bodies than handshakes have are not parsed. */
const parseSmall = (body: Buffer): unknown => (body.length > 16_384 ? undefined : parseJson(body.toString('utf8')));

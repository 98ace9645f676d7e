import { createHmac } from 'node:crypto';
import { isObject, type JsonObject } from '../../common/json.ts';
import type { Arrived, Reply } from './inbox.ts';

/** A request with which a sender makes sure of its receiver, before it sends events. */
export interface Handshake {
  readonly name:
    | 'OPTIONS'
    | 'HEAD'
    | 'GET'
    | 'X-Hook-Secret'
    | 'challenge'
    | 'plainToken'
    | 'validationToken'
    | 'crc_token';
  /** The secret that the sender handed over with it. */
  readonly secret?: string;
}

type Answered = { readonly handshake: Handshake; readonly reply: Reply };

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
const hmac = (secret: string, content: string): ReturnType<ReturnType<typeof createHmac>['update']> =>
  createHmac('sha256', secret).update(content);

const headerOf = ({ headers }: Arrived, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** The right answer to a usual handshake; null for everything else, which then is a delivery. */
export function answerHandshake(arrived: Arrived, secret: string): Answered | null {
  return byMethod(arrived, secret) ?? byHeader(arrived) ?? byQuery(arrived, secret) ?? byBody(arrived, secret);
}

/** OPTIONS as CloudEvents' webhook specification asks; GET and HEAD as senders that look whether anybody is there. */
function byMethod(arrived: Arrived, secret: string): Answered | null {
  if (arrived.method === 'OPTIONS') {
    const origin = headerOf(arrived, 'webhook-request-origin') ?? '*';
    const headers = {
      Allow: 'POST, PUT, GET, HEAD, OPTIONS',
      'WebHook-Allowed-Origin': origin,
      'WebHook-Allowed-Rate': '*',
    };
    return { handshake: { name: 'OPTIONS' }, reply: { status: 200, headers, body: '' } };
  }
  if (arrived.method === 'HEAD') {
    return { handshake: { name: 'HEAD' }, reply: { status: 200, headers: {}, body: '' } };
  }
  return arrived.method === 'GET'
    ? (byQuery(arrived, secret) ?? { handshake: { name: 'GET' }, reply: text('ok') })
    : null;
}

/** Asana's: the secret comes in a header, and goes back in it. */
function byHeader(arrived: Arrived): Answered | null {
  const given = headerOf(arrived, 'x-hook-secret');
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
  return crc === null
    ? null
    : {
        handshake: { name: 'crc_token' },
        reply: json({ response_token: `sha256=${hmac(secret, crc).digest('base64')}` }),
      };
}

/** Slack's and Twitch's challenge, Zoom's plainToken. */
function byBody(arrived: Arrived, secret: string): Answered | null {
  const body = parse(arrived.body);
  if (body === null) {
    return null;
  }
  const { challenge } = body;
  if (typeof challenge === 'string' || typeof challenge === 'number') {
    // Twitch wants the bare text; others take either, or JSON alone.
    const bare = headerOf(arrived, 'twitch-eventsub-message-type') !== undefined || isObject(body.subscription);
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

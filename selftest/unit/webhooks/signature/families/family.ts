import type { Delivery } from '../../../../../webhooks/signature/delivery.ts';
import { deliver, hmac, plain, type Sender, type Sending, sendingOf, whsec } from '../deliveries.ts';

/** One way in which real services sign the payload, and what discovery is to say of it. */
export interface Family {
  readonly name: string;
  readonly secret: string;
  readonly sender: Sender;
  readonly formula: string;
  readonly encoding?: 'base64' | 'base64url' | 'base64-hex';
  /** `decode` or `strip|decode`; the whole secret as text where none is given. */
  readonly key?: string;
  readonly template?: string;
  /** The body, where it is not the usual one. */
  readonly body?: (sending: Sending) => string;
}

/** Three deliveries of a family. */
export const deliveriesOf = ({ sender, body }: Family): Delivery[] =>
  deliver(
    sender,
    [0, 1, 2].map((n) => sendingOf(n, body?.(sendingOf(n)))),
  );

export const whsecKey = Buffer.from(whsec.slice(6), 'base64');
export const b64 = (key: string | Buffer, text: string): string => hmac(key, text, 'base64');
export const jwt = (claims: object): string => {
  const input = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
    .join('.');
  return `${input}.${hmac(plain, input, 'base64url')}`;
};

import { decompress } from '../../common/decompress.ts';

/** Header lines in the order and case in which they arrived. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** One webhook delivery exactly as it arrived. */
export interface Delivery {
  readonly method: string;
  /** Path and query as received. */
  readonly url: string;
  /** The URL that was registered for the webhook. */
  readonly registeredUrl: string;
  readonly headers: HeaderLines;
  readonly body: Buffer;
}

/** A request as it arrived. */
export type Arrived = Omit<Delivery, 'registeredUrl'>;

/** The values of a header, in any case, in order of arrival. */
export function headerValues(delivery: Pick<Delivery, 'headers'>, name: string): string[] {
  const wanted = name.toLowerCase();
  return delivery.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

/** A body without its content codings, as frameworks hand it over; as it came, where it has none or cannot be unpacked. */
export function plainBody({ headers, body }: Pick<Delivery, 'headers' | 'body'>): Buffer {
  try {
    return decompress(body, headerValues({ headers }, 'content-encoding').join(', '), bounds.unpackedBody);
  } catch {
    return body;
  }
}

/** Whether a body is a form. JSON that is sent as one, as by `curl -d` and PHP's CURLOPT_POSTFIELDS, is none. */
export const isForm = ({ headers }: Pick<Delivery, 'headers'>, text: string): boolean =>
  !/^\s*[{[]/.test(text.slice(0, 64)) &&
  headerValues({ headers }, 'content-type').some((type) => /x-www-form-urlencoded/i.test(type));

/** How much of a delivery is read and tried. Headers and bodies may be hostile. */
export const bounds = {
  headers: 200,
  headerLength: 8_192,
  /** Larger bodies, in bytes, are only hashed as they are: not parsed as JSON, nor written in other forms. */
  parsedBody: 1_048_576,
  unpackedBody: 4 * 1_048_576,
  parsedValues: 20_000,
  leaves: 2_000,
  tokens: 100,
  /** HMACs computed, and bytes hashed for them. */
  hmacs: 60_000,
  hashedBytes: 96 * 1_048_576,
} as const;

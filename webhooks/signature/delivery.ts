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
  /** Epoch milliseconds; NaN if unknown, as for deliveries from a file. */
  readonly receivedAt: number;
}

/** The values of a header, in any case, in order of arrival. */
export function headerValues(delivery: Pick<Delivery, 'headers'>, name: string): string[] {
  const wanted = name.toLowerCase();
  return delivery.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

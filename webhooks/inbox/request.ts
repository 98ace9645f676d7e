import type { HeaderLines } from '../signature/delivery.ts';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** In order of arrival. */
  readonly headers: HeaderLines;
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

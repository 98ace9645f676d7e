/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** In order of arrival. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

import type { ApiName } from '../../contract/clause.ts';
import type { Sample } from '../../limits/judge/trace.ts';

/**
 * A key whose limit is tried, and what the documents promise it. The key itself is in the environment variable
 * `keyEnv`, never here.
 */
export interface Subject {
  /** The key's name in reports: that of its setting, or a description of a key that the run made. */
  readonly label: string;
  readonly api: ApiName;
  readonly keyEnv: string;
  /** The absolute URL of a documented read. */
  readonly url: string;
  /** Requests a minute and a day; `perDay` is null if the documents say unlimited. */
  readonly limit: number;
  readonly perDay: number | null;
  /** Whether nobody else uses the key, or has lately: the run made it, or the user says so. */
  readonly alone: boolean;
  /** A made-up key that looks the same, for calls that must not use this key's budget. It is no secret. */
  readonly unknownKey: string;
}

/** A documented read: its name in reports, and its path and query. */
export interface Read {
  readonly route: string;
  readonly path: string;
}

export type ScriptName = 'per-minute' | 'burst' | 'per-day' | 'soak' | 'shared';

/** Everything that a script needs to know. */
export interface Plan {
  /** The id of this run, which marks its files, so that an older one is never taken for this run's. */
  readonly run: string;
  readonly script: ScriptName;
  readonly clockSpeed: number;
  readonly timeoutMs: number;
  /** With `shared`, each two of them are a pair. */
  readonly subjects: readonly Subject[];
  /** How many VUs share the calls of one subject. */
  readonly shooters: number;
  /** How many VUs there are in all instances together, and the longest time that the script may take. */
  readonly vus: number;
  readonly boundMs: number;
  /** When simultaneous calls begin, in epoch ms; null if instances agree on a moment by the clock. */
  readonly startAt: number | null;
  /** `burst`: how many bursts to make. */
  readonly bursts: number;
  /**
   * `per-day`: how many calls of each subject were admitted today before, how many may be made now (null: as many as
   * the day takes), and whether to wait until the day is over.
   */
  readonly spent: Readonly<Record<string, number>>;
  readonly calls: number | null;
  readonly restore: boolean;
  /** `soak`: how long it lasts, and the documented reads that it makes in turn. */
  readonly soakMs: number;
  readonly reads: Readonly<Record<ApiName, readonly string[]>>;
  /** `per-minute`: the reads to try while the key is refused. */
  readonly probes: Readonly<Record<ApiName, readonly Read[]>>;
  /** The share of the limit that paced calls use; 0 means as fast as possible. */
  readonly pace: number;
}

/** A sample as a list of its fields, which keeps traces of 50,000 calls small. */
export type Row = readonly [
  sentAt: number,
  receivedAt: number,
  status: number,
  limit: string | null,
  remaining: string | null,
  reset: string | null,
  retryAfter: string | null,
  date: string | null,
  key: string,
  phase: string,
  body?: string | null,
  route?: string,
];

/** One line of a trace. */
export type Line =
  | { readonly t: 'begin'; readonly run: string; readonly script: string; readonly vu: number }
  | { readonly t: 'plan'; readonly plan: Plan }
  | { readonly t: 'samples'; readonly subject: string; readonly rows: readonly Row[] }
  | { readonly t: 'progress'; readonly subject: string; readonly step: string; readonly calls: number }
  | { readonly t: 'note'; readonly subject: string; readonly note: string; readonly value: unknown }
  | { readonly t: 'error'; readonly subject: string; readonly message: string }
  | { readonly t: 'end'; readonly vu: number; readonly calls: number };

export const toRow = (sample: Sample): Row => {
  const { sentAt, receivedAt, status, limit, remaining, reset, retryAfter, date, key, phase, body, route } = sample;
  const row = [sentAt, receivedAt, status, limit, remaining, reset, retryAfter, date, key, phase] as const;
  if (route !== undefined) {
    return [...row, body ?? null, route];
  }
  return body === undefined ? row : [...row, body];
};

export const fromRow = (row: Row): Sample => {
  const [sentAt, receivedAt, status, limit, remaining, reset, retryAfter, date, key, phase, body, route] = row;
  const sample = { sentAt, receivedAt, status, limit, remaining, reset, retryAfter, date, key, phase };
  return {
    ...sample,
    ...(typeof body === 'string' ? { body } : {}),
    ...(route === undefined ? {} : { route }),
  };
};

import type { Api } from '../../contract/clause.ts';
import type { Sample } from '../../limits/judge/trace.ts';

/** A key and what the documents promise it. The key itself comes in the environment variable `keyEnv`, never in here. */
export interface Subject {
  /** What reports call the key: the name of its setting, or a description of a key that the run made. */
  readonly label: string;
  readonly api: Api;
  readonly keyEnv: string;
  /** Absolute URL of a documented read. */
  readonly url: string;
  /** Requests a minute and a day; `perDay` is null where the documents say unlimited. */
  readonly limit: number;
  readonly perDay: number | null;
  /** Nobody else uses the key, or has lately: the run made it, or the user says so. */
  readonly alone: boolean;
  /** A made-up key of the same look, for calls that must not touch this key's budget. No secret. */
  readonly unknownKey: string;
}

/** A documented read: what it is called, and its path with its query, below the origin of whoever is asked. */
export interface Read {
  readonly route: string;
  readonly path: string;
}

export type ScriptName = 'per-minute' | 'burst' | 'per-day' | 'soak' | 'shared';

/** What the runner gives a script. */
export interface Plan {
  /** Marks everything that belongs to this run: an older file is never taken for this run's. */
  readonly run: string;
  readonly script: ScriptName;
  readonly clockSpeed: number;
  readonly timeoutMs: number;
  /** `shared` takes them two by two. */
  readonly subjects: readonly Subject[];
  /** VUs that share the calls of one subject. */
  readonly shooters: number;
  /** VUs the script asks for in all instances together, and the longest it may take. */
  readonly vus: number;
  readonly boundMs: number;
  /** When simultaneous calls begin, epoch ms; null: the script agrees on a moment by the clock. */
  readonly startAt: number | null;
  /** Bursts of `burst`. */
  readonly bursts: number;
  /** Calls that `per-day` has made today already, by subject, those it may make now, and whether it awaits the day's edge. */
  readonly spent: Readonly<Record<string, number>>;
  readonly calls: number | null;
  readonly restore: boolean;
  /** Length of `soak`, and the documented reads it makes in turn, by API. */
  readonly soakMs: number;
  readonly reads: Readonly<Record<Api, readonly string[]>>;
  /** Reads that `per-minute` tries while the key is refused, by API. */
  readonly probes: Readonly<Record<Api, readonly Read[]>>;
  /** Share of the limit that paced traffic keeps to. 0: as fast as it goes. */
  readonly pace: number;
}

/** A sample as a row, in the order of its fields: a trace of 50,000 calls is read line by line. */
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

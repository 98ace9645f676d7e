/** The number of requests that a key or a workspace may make. `perDay` is null for unlimited. */
export interface Limits {
  readonly perMinute: number;
  readonly perDay: number | null;
}

export type KeyType = 'live' | 'sandbox' | 'enterprise';
export type Plan = 'starter' | 'professional' | 'enterprise';

/** Developer API, Limits. Enterprise is agreed by contract: 1,000 a minute is its floor. */
export const keyLimits: Readonly<Record<KeyType, Limits>> = {
  live: { perMinute: 60, perDay: 10_000 },
  sandbox: { perMinute: 120, perDay: 50_000 },
  enterprise: { perMinute: 1_000, perDay: null },
};

/** The requests a minute of a key; for an enterprise key the agreed number. */
export const perMinuteOf = (type: KeyType, agreed: number): number =>
  type === 'enterprise' ? agreed : keyLimits[type].perMinute;

/** Workspace API, Limits. */
export const planLimits: Readonly<Record<Plan, Limits>> = {
  starter: { perMinute: 60, perDay: 10_000 },
  professional: { perMinute: 300, perDay: 100_000 },
  enterprise: { perMinute: 1_000, perDay: null },
};

/** The three headers that every response of both APIs carries (Limits 1). */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export const minuteMs = 60_000;
/** The deployment's minute, in ms of real time: its windows pass `clockSpeed` times as fast. */
export const minuteAt = (clockSpeed: number): number => minuteMs / clockSpeed;
export const dayMs = 86_400_000;

import type { Clock } from '../../common/clock.ts';
import { createRedactor } from '../../common/redact.ts';
import type { Api } from '../../contract/clause.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Progress } from '../engine/engine.ts';
import { createBudget } from './budget.ts';
import { createClient } from './client.ts';
import { createEvidence } from './evidence.ts';
import type { ApiKey } from './key.ts';
import type { Ledger } from './ledger.ts';
import { createPermit, type Permit } from './permit.ts';
import { createShelf, type Session } from './session.ts';
import type { Transport } from './transport.ts';

/** What a session is opened with: everything that differs between a run over sockets and one in-process. */
export interface SessionParts {
  readonly api: Api;
  readonly origin: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly ledger: Ledger;
  readonly seed: number;
  readonly tag: string;
  readonly userBodies?: Readonly<Record<string, unknown>>;
  /** A key's documented requests a minute. */
  readonly limitOf: (key: ApiKey) => number;
}

/** A session as the engine drives it and the runner closes it. */
export type OpenSession = Session & Progress & { readonly permit: Permit };

/** Opens a session; sends nothing. */
export function openSession(parts: SessionParts): OpenSession {
  const { settings, clock, api } = parts;
  const evidence = createEvidence();
  const redactor = createRedactor([parts.tag]);
  for (const [name, value] of Object.entries(settings)) {
    if (/_API_KEY$|^WEBHOOK_SECRET$/.test(name) && typeof value === 'string') {
      redactor.learn(value);
    }
  }
  const permit = createPermit(api, settings);
  const budget = createBudget({ clock, clockSpeed: settings.CLOCK_SPEED, limitOf: parts.limitOf });
  const client = createClient({
    api,
    origin: parts.origin,
    transport: parts.transport,
    clock,
    evidence,
    budget,
    permit,
    redactor,
    timeoutMs: settings.TIMEOUT_MS,
    settleMs: settings.KEY_SETTLE_MS,
    clockSpeed: settings.CLOCK_SPEED,
  });
  const { promise: others, resolve: othersDone } = Promise.withResolvers<undefined>();
  return {
    api,
    origin: parts.origin,
    settings,
    clock,
    client,
    evidence,
    redactor,
    permit,
    ledger: parts.ledger,
    seed: parts.seed,
    tag: parts.tag,
    userBodies: parts.userBodies ?? {},
    once: createShelf(),
    others,
    othersDone: () => {
      othersDone(undefined);
    },
    notes: [],
  };
}

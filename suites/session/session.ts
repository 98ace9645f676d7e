import type { Clock } from '../../common/clock.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Inbox, NoInbox } from '../../webhooks/inbox/inbox.ts';
import type { Api } from './api.ts';
import type { Begun } from './attribution.ts';
import type { Client } from './client.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { OwnRecords } from './evidence/own-records.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { WriteGuard } from './pace/write-guard.ts';

/** Everything that a run with one API knows. There is no other state. */
export interface Session {
  readonly api: Api<Session>;
  readonly origin: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly client: Client;
  readonly evidence: Evidence;
  /** What the run made, for the scripts of findings. */
  readonly records: OwnRecords;
  readonly ledger: Ledger;
  /** The ids that calls which change or delete may name. */
  readonly writeGuard: WriteGuard;
  readonly redactor: Redactor;
  /** Receives webhook deliveries. */
  readonly inbox: Inbox | NoInbox;
  /** The clauses that the run judges. */
  readonly clauses: ReadonlySet<string>;
  /** Seed of the generated bodies. */
  readonly seed: number;
  /** The user's own request bodies by documented call (setting BODIES). */
  readonly userBodies: Readonly<Record<string, unknown>>;
  /** Stands in whatever the run creates: sets it apart from everything else. */
  readonly tag: string;
  /** Epoch milliseconds of the opening. */
  readonly openedAt: number;
  /** Words and a number that tell the next record of the run from all others. */
  nextRecord(): { readonly tag: string; readonly number: number };
  /** What the steps of the run have made (step.ts), by step. */
  readonly steps: Map<unknown, Map<string, Begun<unknown>>>;
  /** Resolves when nobody else calls: what needs a quiet deployment waits for it. */
  readonly quiet: Promise<void>;
  /** Resolves when a lockout harms no other clause: calls with a bad key, or none, wait for it. */
  readonly badKeys: Promise<void>;
}

/** What checks may wait for. */
export type Moment = 'quiet' | 'badKeys';

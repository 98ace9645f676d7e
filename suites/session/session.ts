import type { Clock } from '../../common/clock.ts';
import type { JsonObject } from '../../common/json.ts';
import type { Redactor } from '../../common/redact.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Shapes } from '../../settings/shapes.ts';
import type { Inbox, NoInbox } from '../../webhooks/inbox/inbox.ts';
import type { Api } from './api.ts';
import type { Moment } from './attribution.ts';
import type { Client } from './client.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { OwnRecords } from './evidence/own-records.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { WriteGuard } from './pace/write-guard.ts';

/** A row of a list, and the ids that it shows. */
export interface ListedRow {
  readonly row: JsonObject;
  readonly ids: readonly string[];
}

/** Everything that a run with one API knows. There is no other state. */
export interface Session {
  readonly api: Api<Session>;
  readonly origin: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly client: Client;
  readonly evidence: Evidence;
  /** The rows of the lists that were read (records/others.ts). */
  readonly rowsOfReads: WeakMap<Exchange, readonly ListedRow[]>;
  /** The records that the run made, and what became of them. */
  readonly records: OwnRecords;
  readonly ledger: Ledger;
  /** Holds the ids under which calls may change or delete records. */
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
  /** Bodies by the deployment's own OpenAPI documents (setting OPENAPI). */
  readonly documentBodies: Readonly<Record<string, unknown>>;
  /** Where answers show ids, rows and next pages, where the user says so (`shapes` in BODIES). */
  readonly shapes: Shapes;
  /** A word that whatever the run creates holds, and nothing else does. */
  readonly tag: string;
  /** Epoch milliseconds of the opening. */
  readonly openedAt: number;
  /** The tag and number of the next record that the run makes; no other record has them. */
  nextRecord(): { readonly tag: string; readonly number: number };
  /** The steps begun so far (step.ts), by the function that makes them and then by their parameters. */
  readonly steps: Map<unknown, Map<string, Promise<unknown>>>;
  /** Resolves at a moment of the run. Only a check that says so (`atMoment`) may wait for it; throws in any other. */
  until(moment: Moment): Promise<void>;
}

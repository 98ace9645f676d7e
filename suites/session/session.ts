import type { Clock } from '../../common/clock.ts';
import { at, scalarText } from '../../common/json.ts';
import type { Redactor } from '../../common/redact.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { settings as table } from '../../contract/settings.ts';
import { Skipped } from '../../results/outcome.ts';
import type { Shapes } from '../../settings/bodies-file.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Inbox, NoInbox } from '../../webhooks/inbox/inbox.ts';
import type { Api } from './api.ts';
import type { Moment } from './attribution.ts';
import { type Answer, type ApiKey, type CallDetails, callOf, type KeyName } from './call.ts';
import type { Client } from './client.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { OwnRecords } from './evidence/own-records.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { CallBook } from './pace/call-book.ts';
import type { WriteGuard } from './pace/write-guard.ts';
import type { Transport } from './transport/transport.ts';

/** What a session is opened with: everything that differs between a run over sockets and one in this process. */
export interface SessionParts {
  readonly origin: string;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly ledger: Ledger;
  /** Seed of the generated bodies. */
  readonly seed: number;
  /** A word that whatever the run creates holds, and nothing else does. */
  readonly tag: string;
  /** The clauses that the run judges. */
  readonly clauses?: readonly string[];
  /** The user's own request bodies by documented call (setting BODIES). */
  readonly userBodies?: Readonly<Record<string, unknown>>;
  /** Bodies by the deployment's own OpenAPI documents (setting OPENAPI). */
  readonly documentBodies?: Readonly<Record<string, unknown>>;
  /** Where answers show ids, rows and next pages, where the user says so (`shapes` in BODIES). */
  readonly shapes?: Shapes;
  /** Receives webhook deliveries. */
  readonly inbox?: Inbox | NoInbox;
}

/** Everything that a run with one API knows. There is no other state. */
export interface Session extends Required<Omit<SessionParts, 'transport' | 'clauses'>> {
  readonly api: Api<Session>;
  readonly client: Client;
  readonly evidence: Evidence;
  /** The records that the run made, and what became of them. */
  readonly records: OwnRecords;
  /** Holds the ids under which calls may change or delete records. */
  readonly writeGuard: WriteGuard;
  readonly redactor: Redactor;
  readonly clauses: ReadonlySet<string>;
  /** Epoch milliseconds of the opening. */
  readonly openedAt: number;
  /** The tag and number of the next record that the run makes; no other record has them. */
  nextRecord(): { readonly tag: string; readonly number: number };
  /** The steps begun so far, by the function that makes them and then by their parameters. */
  readonly steps: Map<unknown, Map<string, Promise<unknown>>>;
  /** Resolves at a moment of the run. Only a check that says so (`atMoment`) may wait for it; throws in any other. */
  until(moment: Moment): Promise<void>;
  /** Lets a moment come: the engine does. */
  reach(moment: Moment): void;
  readonly book: CallBook;
}

// --- What checks ask of a session: a key, a call, a step

type Holder = Pick<Session, 'api' | 'settings'>;

/** A key given in the settings, as calls send it; undefined where the setting is not set. */
export function givenKey({ api, settings }: Holder, name: string): ApiKey | undefined {
  const known = api.keys.find(({ setting }) => setting === name);
  const secret = known && settings[known.setting];
  if (known === undefined || secret === undefined) {
    return undefined;
  }
  const origin = known.isRevoked ? 'unknown' : 'given';
  return { secret, label: known.setting, setting: known.setting, environment: known.environment, origin };
}

/** The key of a setting, as calls send it. Throws Skipped, which names the setting, where it is not set. */
export function requireKey(session: Holder, setting: KeyName): ApiKey {
  const key = givenKey(session, setting);
  if (key === undefined) {
    const meaning = table.find(({ name }) => name === setting)?.meaning ?? 'a key';
    const what = meaning.charAt(0).toLowerCase() + meaning.slice(1);
    throw new Skipped(`${setting} is not set: set it to ${what} to judge this clause`, { setting });
  }
  return key;
}

/** The keys given in the settings that open the whole API; the run is made with the first. */
export const mainKeys = (session: Holder): ApiKey[] =>
  session.api.keys.flatMap(({ setting, isMain }) => (isMain ? (givenKey(session, setting) ?? []) : []));

/** The key that the run is made with. Throws Skipped where none is set. */
export function mainKey(session: Holder): ApiKey {
  const [key] = mainKeys(session);
  return key ?? requireKey(session, session.api.keys[0].setting);
}

/**
 * Sends a call of the endpoint with that id (`GET /v1/agents/:id`), with the main key where `key` is absent. Throws as
 * `Client.send` does, and Skipped where no main key is set.
 */
export const send = (
  session: Session,
  endpoint: string,
  { key = mainKey(session), ...details }: CallDetails & { readonly key?: ApiKey | null } = {},
): Promise<Answer> => session.client.send(callOf(endpointOf(endpoint), key, details));

/**
 * A step that several clauses need, such as seeding the sandbox. It is made once a run with the same parameters, when
 * the first of them asks for it. Its failure is shared too, so that all of them report the same cause. `keyOf`: what
 * tells parameters apart, where they are no texts, keys and endpoints.
 */
export const step =
  <A extends readonly unknown[], T>(
    make: (session: Session, ...args: A) => Promise<T>,
    keyOf: (...args: A) => string = (...args) => args.map(nameOf).join(' '),
  ) =>
  (session: Session, ...args: A): Promise<T> => {
    const begun = session.steps.get(make) ?? new Map<string, Promise<unknown>>();
    session.steps.set(make, begun);
    // Only `make` puts steps there.
    const known = (begun.get(keyOf(...args)) as Promise<T> | undefined) ?? make(session, ...args);
    begun.set(keyOf(...args), known);
    // Whoever awaits the step gets its failure; a failure that nobody awaits must not end the process.
    known.catch(() => {});
    return known;
  };

/** The label of a key, or the id of an endpoint; a text is its own name. */
const nameOf = (one: unknown): string => scalarText(at(one, '/label') ?? at(one, '/id') ?? one) ?? 'none';

import { clauses } from '../../../contract/clauses.ts';
import { createReference } from '../../../fixtures/reference/deployment.ts';
import type { Reference } from '../../../fixtures/reference/plain-deployment.ts';
import type { ClauseResult } from '../../../results/verdict.ts';
import { parseSettings } from '../../../settings/settings.ts';
import { leftBehind } from '../../../suites/run/left-behind.ts';
import { openSuite } from '../../../suites/run/open-suite.ts';
import type { Evidence } from '../../../suites/session/evidence/evidence.ts';
import { type Ledger, memoryLedger } from '../../../suites/session/ledger/ledger.ts';
import { handlerTransport } from '../../../suites/session/transport/handler-transport.ts';
import { workspaceSuite } from '../../../suites/workspace/suite.ts';
import { createLocalInbox, type Inbox, type NoInbox } from '../../../webhooks/inbox/inbox.ts';
import { createVirtualClock } from '../../virtual-clock.ts';

/** A run of the workspace suite, or some of its clauses, against a deployment in this process. */
interface Options {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly bodies?: Readonly<Record<string, unknown>>;
  readonly ids?: readonly string[];
  readonly inbox?: Inbox | NoInbox;
  /** In front of the deployment: answers a call itself, or returns null to pass it on. */
  readonly intercept?: (call: Intercepted) => Response | null;
  /** After the deployment: may replace its answer. */
  readonly between?: (answer: Response, call: Intercepted) => Promise<Response>;
}

/** A call on its way to the deployment. */
export interface Intercepted {
  /** `POST /v1/agents` */
  readonly call: string;
  readonly text: string;
}

/** What came of it. */
export interface Ran {
  readonly results: readonly ClauseResult[];
  readonly evidence: Evidence;
  readonly ledger: Ledger;
  readonly notes: readonly string[];
  readonly reference: Reference;
  /** Requests sent. */
  readonly requests: number;
}

/** A refusal, with the headers of every answer. */
export const refusal = (message: string, status = 400): Response =>
  Response.json(
    { error: { code: 'unsuitable', message, status } },
    { status, headers: { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1' } },
  );

const workspaceIds = clauses.map(({ id }) => id as string).filter((id) => id.startsWith('workspace.'));

/** Runs the workspace suite on a virtual clock. */
export async function runWorkspace(options: Options = {}): Promise<Ran> {
  const clock = createVirtualClock();
  const local = createLocalInbox(clock);
  const reference = createReference({
    clock,
    deliver: local.deliver,
    faults: options.faults ?? [],
    choices: options.choices ?? {},
  });
  const ledger = memoryLedger();
  const opened = await openSuite(workspaceSuite, {
    clauses: options.ids ?? workspaceIds,
    origin: 'http://workspace.test',
    clock,
    ledger,
    seed: 11,
    tag: 'self11',
    inbox: options.inbox ?? local.inbox,
    userBodies: options.bodies ?? {},
    settings: parseSettings({ ...reference.settings, WORKSPACE_API_URL: 'http://workspace.test', ...options.settings }),
    transport: handlerTransport(async (request) => {
      const text = await request.clone().text();
      const call = { call: `${request.method} ${new URL(request.url).pathname}`, text };
      const answer = options.intercept?.(call) ?? (await reference.workspace.fetch(request));
      return options.between?.(answer, call) ?? answer;
    }),
  });
  const results = await opened.run();
  const notes = leftBehind(ledger, await opened.close());
  const { evidence, client } = opened.session;
  return { results, evidence, ledger, notes, reference, requests: client.sent };
}

/** The verdicts by clause, without the API's name. */
export const verdictsOf = ({ results }: Ran): Record<string, string> =>
  Object.fromEntries(results.map(({ id, verdict }) => [id.replace('workspace.', ''), verdict]));

/** The result of one clause, named without the API. */
export function resultOf({ results }: Ran, name: string): ClauseResult {
  const found = results.find(({ id }) => id === `workspace.${name}`);
  if (found === undefined) {
    throw new Error(`Cannot find workspace.${name} among the results`);
  }
  return found;
}

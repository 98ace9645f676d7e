import { systemClock } from '../../common/clock.ts';
import type { Redactor } from '../../common/redact.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf, clauses } from '../../contract/clauses.ts';
import { resultOf } from '../../results/clause-result.ts';
import type { Exchange } from '../../results/exchange.ts';
import { Skipped } from '../../results/stop.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { parseSettings } from '../../settings/settings.ts';
import { judge } from '../../suites/engine/engine.ts';
import { memoryLedger } from '../../suites/session/ledger/ledger.ts';
import { type OpenSession, openSession, type SessionParts } from '../../suites/session/open-session.ts';
import { suites } from '../suites.ts';

const skipped =
  'Recorded traffic shows what holds on every response; this clause needs calls of its own: npm test judges it';

/** Every-response clauses that need to know with which key a call was made. */
const needsKnownKey = new Set(['workspace.errors.invalid-api-key']);

/** The parts of a session whose evidence is the recording, and which cannot send anything. */
const passive = (origin: string): SessionParts => ({
  origin,
  // A session needs keys, although these are never sent.
  settings: parseSettings({
    BASE_URL: origin,
    SANDBOX_API_KEY: 'svc_test_not-sent',
    WORKSPACE_API_URL: origin,
    WORKSPACE_API_KEY: 'not-sent-key',
  }),
  seed: 0,
  tag: 'recorded',
  ledger: memoryLedger(),
  clock: systemClock,
  transport: () => {
    throw new Skipped('Nothing is sent when recorded traffic is judged');
  },
});

/**
 * Judges the exchanges by the every-response clauses of the recorded APIs. Gives a result for every clause, and sends
 * nothing.
 */
export async function judgeRecording(
  exchanges: readonly Exchange[],
  origins: Readonly<Partial<Record<ApiName, string>>>,
  redactor: Redactor,
): Promise<ClauseResult[]> {
  const recorded = (api: ApiName): OpenSession => {
    const session = openSession(suites[api].api, passive(origins[api] ?? 'http://recorded.invalid'));
    for (const exchange of exchanges.filter((one) => one.api === api)) {
      session.evidence.add(exchange);
    }
    return session;
  };
  const sessions = { developer: recorded('developer'), workspace: recorded('workspace') };
  const results = clauses.map(async ({ id, everyResponse }): Promise<ClauseResult> => {
    const api = apiOf(id);
    if (origins[api] === undefined) {
      const message = `The recording holds no call of the ${api} API`;
      return { ...resultOf(id, 'skip', [{ message }]), outside: 'target' };
    }
    if (!everyResponse || needsKnownKey.has(id)) {
      return { ...resultOf(id, 'skip', [{ message: skipped }]), outside: 'selection' };
    }
    return judge(suites[api].checks[id], sessions[api], id);
  });
  return (await Promise.all(results)).map((result) => ({
    ...result,
    findings: result.findings.map((finding) => ({ ...finding, message: redactor.clean(finding.message) })),
  }));
}

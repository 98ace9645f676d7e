import { systemClock } from '../../common/clock.ts';
import type { Redactor } from '../../common/redact.ts';
import { commandOf } from '../../common/suite.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf, clauses } from '../../contract/clauses.ts';
import { Skipped } from '../../results/outcome.ts';
import { type ClauseResult, resultOf } from '../../results/verdict.ts';
import { parseSettings } from '../../settings/settings.ts';
import { developerSuite } from '../developer/suite.ts';
import { judgeClause } from '../engine/engine.ts';
import { memoryLedger } from '../session/ledger/ledger.ts';
import { openSession } from '../session/open-session.ts';
import type { Session, SessionParts } from '../session/session.ts';
import { workspaceSuite } from '../workspace/suite.ts';
import type { Recording } from './recording.ts';

const suites = { developer: developerSuite, workspace: workspaceSuite };

/** Every-response clauses on headers that a recorder may leave out. */
const needsHeaders = new Set(['developer.limits.headers', 'workspace.limits.headers']);

/** Every-response clauses on values that a sanitizer may replace. */
const needsValues = /^developer\.(envelope\.(trace-id|timestamp)|errors\.code)/;

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
  { exchanges, origins, withHeaders, hasBodies, isSanitized }: Omit<Recording, 'leftOut'>,
  redactor: Redactor,
): Promise<ClauseResult[]> {
  const headed = exchanges.filter(({ number }) => withHeaders.has(number));
  const recorded = (api: ApiName, some = exchanges): Session => {
    const session = openSession(suites[api].api, passive(origins[api] ?? 'http://recorded.invalid'));
    for (const exchange of some.filter((one) => one.api === api)) {
      session.evidence.add(exchange, false);
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
    // Nothing tells with which key a recorded call was made.
    if (!everyResponse || id === 'workspace.errors.invalid-api-key') {
      const message = `Recorded traffic shows what holds on every response; this clause needs calls of its own: ${commandOf('test')} judges it`;
      return { ...resultOf(id, 'skip', [{ message }]), outside: 'selection' };
    }
    if (!hasBodies) {
      const message = 'The recording holds no bodies of answers';
      return resultOf(id, 'inconclusive', [{ message, advice: 'export with response bodies' }]);
    }
    if (needsHeaders.has(id) && headed.length === 0) {
      const message = 'The recording holds no headers of answers';
      return resultOf(id, 'inconclusive', [{ message, advice: `record with headers, or use ${commandOf('test')}` }]);
    }
    const session = needsHeaders.has(id) ? recorded(api, headed) : sessions[api];
    const result = await judgeClause(suites[api].checks[id], session, id);
    const isDoubtful = isSanitized && needsValues.test(id) && ['fail', 'warn'].includes(result.verdict);
    const advice = `Record without a sanitizer, or use ${commandOf('test')}: the keys of the calls, and other values, were replaced`;
    // No setting, and no other clause, decides what was not recorded.
    const findings = result.findings.map(({ needs, blames: _, ...finding }) => {
      const message = needs === undefined ? redactor.clean(finding.message) : 'The recording shows no such answer';
      return { ...finding, message, ...(isDoubtful && { advice }) };
    });
    return isDoubtful ? resultOf(id, 'inconclusive', findings) : { ...result, findings };
  });
  return Promise.all(results);
}

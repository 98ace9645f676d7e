import { workspaceStatuses } from '../../contract/errors.ts';
import { Inconclusive, type Outcome } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { judgeAll } from '../engine/judge-responses.ts';
import { isSuccess } from '../session/call.ts';
import type { Answered } from '../session/evidence/evidence.ts';
import type { Session } from '../session/session.ts';
import { isDocumented, judgeJson, judgeStatuses } from '../shared/every-response.ts';
import { firstOf } from './records/run-records.ts';

/** Responses: judged on every response of the run. */
export const responses: Checks = {
  'workspace.responses.json': judgeJson({
    object: false,
    // These have no body by nature. They are judged by success-status, or by the clause of their call.
    isExempt: ({ response: { status } }) => status === 204 || (status >= 300 && status <= 399),
  }),

  'workspace.responses.success-status': async ({ evidence }, tally) => {
    const successes = evidence.responses.filter(
      (exchange) => isSuccess(exchange.response) || (exchange.response.status === 304 && isDocumented(exchange)),
    );
    if (successes.length === 0) {
      throw new Inconclusive({ message: 'No call succeeded in this run', blames: 'workspace.auth.bearer' });
    }
    tally.add(judgeStatus(successes, 200, 201));
  },

  'workspace.responses.created-status': async (session, tally) => {
    // No other clause of the run may create anything.
    await firstOf(session, 'agents');
    const creations = creationsIn(session);
    if (creations.length === 0) {
      throw new Inconclusive({ message: 'Nothing was created in this run', blames: 'workspace.auth.bearer' });
    }
    tally.add(judgeStatus(creations, 201));
  },

  'workspace.responses.status-known': judgeStatuses({
    expected: `one of ${workspaceStatuses.join(', ')}`,
    isKnown: (status) => workspaceStatuses.includes(status),
  }),
};

const judgeStatus = (all: readonly Answered[], ...known: readonly number[]): Outcome =>
  judgeAll(all, {
    expected: known.join(' or '),
    place: 'status',
    trouble: ({ response: { status } }) => (known.includes(status) ? null : String(status)),
  });

/** Other successes are judged by success-status. A call that should have been refused may have created nothing. */
const creationsIn = ({ evidence }: Session): readonly Answered[] =>
  evidence.responses.filter(
    ({ endpoint, purpose, response: { status } }) =>
      endpoint?.startsWith('POST ') && purpose === 'documented' && (status === 200 || status === 201),
  );

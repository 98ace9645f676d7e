import { at, isObject } from '../../common/json.ts';
import { show } from '../../common/schema.ts';
import { planLimits } from '../../contract/limits.ts';
import { createTally, judged, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive, Skipped } from '../../results/stop.ts';
import type { Check, Checks } from '../engine/engine.ts';
import { cameOf, findingOn } from '../engine/expect.ts';
import { callOf } from '../session/call.ts';
import { listing } from './endpoints.ts';
import { type Drive, overLimit } from './over-limit.ts';
import { succeeded } from './records.ts';
import { requireKey, type WorkspaceSession } from './session.ts';

type Word = { readonly verdict: string; readonly says: string };

interface Decided {
  readonly by: (drive: Drive) => Word;
  readonly expected: (limit: number) => string;
  readonly more?: (tally: Tally, drive: Drive) => void;
}

/** A clause that the drive over the limit decides by one of the judge's words. */
const onWord =
  ({ by, expected, more }: Decided): Check<WorkspaceSession> =>
  async (session) => {
    const drive = await overLimit(session);
    const { verdict, says } = by(drive);
    const tally = createTally();
    const finding = findingOn(drive.telling, { message: says, expected: expected(drive.limit), actual: says });
    if (verdict === 'holds') {
      tally.judge(null);
    } else if (verdict === 'undecided' || verdict === 'not judged') {
      tally.leaveOpen(finding);
    } else {
      tally.judge(finding);
    }
    more?.(tally, drive);
    return tally.outcome();
  };

/** One budget refuses every call, whatever it is a call of; the judge of the trace knows of no calls, only of their number. */
function perMinute({ verdict, after, limit }: Drive): Word {
  const admitted = after.calls.filter(({ statuses }) => statuses.every((status) => status < 400));
  const refused = after.calls.filter(({ statuses }) => statuses.every((status) => status === 429));
  if (admitted.length === 0 || refused.length === 0 || !after.refusedAfterwards) {
    return verdict.perMinute;
  }
  return {
    verdict: 'more',
    says: `${admitted.map(({ name }) => name).join(', ')} are admitted while ${refused.map(({ name }) => name).join(', ')} are refused: they do not draw on one limit of ${limit} a minute.`,
  };
}

/** A refusal carries the error body; what is in it is judged on every response. */
function judgeErrorBody(tally: Tally, { telling, verdict }: Drive): void {
  if (verdict.exceeded.verdict !== 'holds') {
    return;
  }
  tally.judge(
    isObject(at(telling.json, '/error'))
      ? null
      : findingOn(telling, {
          message: `Call over the limit is refused without the error body: ${show(telling.exchange.response?.json ?? telling.text, 60)}`,
          expected: 'an object error with code, message and status',
          actual: show(telling.exchange.response?.json ?? telling.text, 60),
          place: '/error',
        }),
  );
}

/** While the first key is refused, the second one is refused too; before, it was let in. */
async function judgeShared(session: WorkspaceSession): Promise<Outcome> {
  const key = requireKey(session, 'WORKSPACE_SECOND_API_KEY');
  const twin = await session.once('second key before the limit', () =>
    session.client.send(callOf(listing('agents'), key)),
  );
  if (!succeeded(twin)) {
    throw new Inconclusive(
      findingOn(twin, {
        message: `Second key is not accepted before the limit is met: ${cameOf(twin)}`,
        cause: 'WORKSPACE_SECOND_API_KEY may be no key of this workspace',
      }),
    );
  }
  const { after, telling } = await overLimit(session);
  const { second } = after;
  const [first] = second;
  if (first === undefined) {
    throw new Inconclusive(
      findingOn(telling, {
        message: 'Whether two keys share a limit cannot be told: the first key was never refused with 429',
        blames: 'workspace.limits.exceeded',
      }),
    );
  }
  const refused = second.filter(({ status }) => status === 429);
  const admitted = second.filter(succeeded);
  if (admitted.length === second.length) {
    const finding = findingOn(first, {
      message: `Second key of the workspace has a limit of its own: ${admitted.length} of its calls are admitted while the first key is refused`,
      expected: '429',
      actual: cameOf(first),
    });
    // A window that ended in between admits everybody.
    if (!after.refusedAfterwards) {
      throw new Inconclusive(finding);
    }
    return judged(finding);
  }
  if (refused.length < second.length - 1) {
    throw new Inconclusive(
      findingOn(first, { message: `Second key got ${second.map(cameOf).join(', ')} while the first was refused` }),
    );
  }
  return judged(null);
}

/** Limits: judged by one drive over the minute's limit. A day's limit takes the load scripts. */
export const limits: Checks<WorkspaceSession> = {
  'workspace.limits.exceeded': onWord({
    by: ({ verdict }) => verdict.exceeded,
    expected: () => '429 for the call over the limit',
    more: judgeErrorBody,
  }),
  'workspace.limits.per-minute': onWord({
    by: perMinute,
    expected: (limit) => `${limit} calls a minute from an idle workspace, not fewer and not more`,
  }),

  'workspace.limits.per-day': async ({ settings }) => {
    const day = planLimits[settings.WORKSPACE_PLAN].perDay;
    throw new Skipped(
      `A day's limit (${day ?? 'none'} on the ${settings.WORKSPACE_PLAN} plan) takes hours to fill: npm run load -- per-day judges it`,
    );
  },

  'workspace.limits.per-workspace': judgeShared,
  'workspace.limits.recovery': onWord({
    by: ({ verdict }) => verdict.recovery,
    expected: () => 'calls succeed again once the minute has passed',
  }),
  'workspace.limits.remaining': onWord({
    by: ({ verdict }) => verdict.remaining,
    expected: () => 'Remaining falls with each call, and is 0 with the first 429',
  }),

  'workspace.limits.header-format': async (session) => {
    const {
      verdict: { headers },
    } = await overLimit(session);
    const shape = (text: string | null): string | null => text?.replace(/\d+/g, '<digits>') ?? null;
    return observed({
      limit: headers.limit,
      remaining: shape(headers.remaining),
      reset: shape(headers.reset),
      'retry-after': shape(headers.retryAfter),
      'reset unit': headers.resetUnit,
      'reset motion': headers.resetMotion,
      'reset names the return': headers.resetAgrees,
      'retry-after names the return': headers.retryAfterAgrees,
    });
  },

  'workspace.limits.window': async (session) => {
    const { verdict } = await overLimit(session);
    return observed({
      algorithm: verdict.window.algorithm,
      says: verdict.window.says,
      enforced: verdict.perMinute.enforced,
    });
  },
};

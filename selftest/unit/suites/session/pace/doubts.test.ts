import { expect, test } from 'vitest';
import { minuteMs } from '../../../../../contract/limits.ts';
import type { ApiKey } from '../../../../../suites/session/call.ts';
import { mainKey, send } from '../../../../../suites/session/session.ts';
import { testKeys, testSession } from '../../../test-session.ts';

const secret = 'wsk_of_nobody_9876543210';
const nobody: ApiKey = { secret, label: 'nobody', environment: 'workspace', origin: 'unknown' };

/** The status with which a deployment answers; `now`: milliseconds since the opening. */
type Deployment = (isGood: boolean, isList: boolean, now: number) => number;

/** The calls of a script: with a good key or a bad one; `2` is another path, and `post` a call that may change something. */
const scripted = {
  good: 'GET /v1/agents',
  good2: 'GET /v1/leads',
  post: 'POST /v1/agents',
  bad: 'GET /v1/agents',
  bad2: 'GET /v1/leads',
} as const;

/** What the calls of a script get, with the time when they had to wait, and how many requests were sent. */
async function outcomes(statusOf: Deployment, script: string): Promise<string> {
  const session = testSession('workspace', {
    env: { WRITES: 'all' },
    async serve({ headers, url }) {
      const isGood = headers.get('Authorization')?.includes(testKeys.workspace) ?? false;
      const status = statusOf(isGood, url.includes('/agents'), session.clock.now() - opened);
      await session.clock.sleep(10);
      return Response.json({ data: [], error: {} }, { status });
    },
  });
  const opened = session.clock.now();
  const got: string[] = [];
  for (const one of script.split(' ') as (keyof typeof scripted)[]) {
    const key = one.startsWith('bad') ? { key: nobody, purpose: 'refusal' as const } : { key: mainKey(session) };
    const says = await send(session, scripted[one], { ...key, ...(one === 'post' && { body: {} }) }).then(
      ({ status, exchange }) => String(exchange.failure?.kind ?? status),
      ({ message }: Error) => /skipped|got \d+/.exec(message)?.[0] ?? message,
    );
    const seconds = Math.floor((session.clock.now() - opened) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    got.push(seconds === 0 ? says : `${says} at ${time}`);
  }
  return `${got.join(', ')}; ${session.evidence.exchanges.length} sent`;
}

/** Two calls with bad keys lock out all callers for some minutes. */
function locking(status: number, minutes: number): Deployment {
  let [failures, until] = [0, 0];
  return (isGood, _isList, now) => {
    if (now < until) {
      return status;
    }
    failures += isGood ? 0 : 1;
    if (failures === 2) {
      [failures, until] = [0, now + minutes * minuteMs];
    }
    return isGood ? 200 : 401;
  };
}

/** A deployment that is away from one moment to another, ms. */
const away =
  (to: number): Deployment =>
  (_isGood, _isList, now) =>
    now >= 10 && now < to ? 503 : 200;
const forbidding: Deployment = (isGood, isList) => (isList ? (isGood ? 200 : 401) : 403);

// A lockout with 403 is among the choices of the reference.
test.for<[string, Deployment, script: string, got: string]>([
  ['a status that is not that of a lockout is kept', forbidding, 'bad bad2', '401, 403; 3 sent'],
  ['so is that of a key that was accepted since', forbidding, 'bad good good2', '401, 200, 403; 3 sent'],
  [
    'where one does not end, bad keys are given up first, then good ones, and no bad key is sent any more',
    locking(403, 1_000),
    'good bad bad bad2 bad good2',
    '200, 401, 401, skipped at 5:06, skipped at 5:06, got 403 at 16:19; 25 sent',
  ],
  ['reads wait until a deployment is back that was away', away(8_000), 'good2 good', '200, 200 at 0:11; 11 sent'],
  ['what may have changed something has no answer then', away(3_000), 'good2 post', '200, away at 0:03; 7 sent'],
  ['who stays away is waited for once', away(Infinity), 'good2 good good', '200, 503 at 0:43, 503 at 0:43; 24 sent'],
])('%s', async ([, deployment, script, got]) => {
  expect(await outcomes(deployment, script)).toBe(got);
});

import { at, isObject, type JsonObject } from '../../common/json.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { createTally, type Tally } from '../../results/outcome.ts';
import type { Check } from '../engine/engine.ts';
import { cameOf, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import { read, requireKey } from './calls.ts';

/** Documented objects whose field names are compared, by endpoint: where their rows stand in data. */
const objects: Readonly<Record<string, string>> = {
  'GET /api/v1/ads/campaigns': '/data/campaigns',
  'GET /api/v1/ads/health-score': '/data',
  'GET /api/v1/investor/pipeline': '/data/deals',
};

/** GETs that both environments have: a seed state is the sandbox's alone, and a usage call needs a key id. */
const compared = developerEndpoints.filter(
  ({ method, path }) => method === 'GET' && !path.includes(':id') && !path.endsWith('/sandbox/seed'),
);

/** Behaviour is identical in both environments: status, and field names of the documented objects. */
export const parity: Check = async (session) => {
  requireKey(session, 'SANDBOX_API_KEY');
  const liveKey = requireKey(session, 'LIVE_API_KEY');
  const tally = createTally();
  await Promise.all(
    compared.map(({ id }) =>
      partly(tally, async () => {
        const [sandbox, live] = await Promise.all([read(session, id), read(session, id, undefined, liveKey)]);
        // A 5xx is somebody else's clause, and an accident rather than a behaviour.
        const broken = [sandbox, live].find(({ status }) => status === 0 || status >= 500);
        if (broken) {
          return tally.leaveOpen(
            findingOn(broken, {
              message: `${id} cannot be compared: ${cameOf(broken)}`,
              blames: 'developer.errors.no-server-error',
            }),
          );
        }
        tally.judge(
          sandbox.status === live.status
            ? null
            : findingOn(live, {
                message: `${id} answers differently: ${cameOf(sandbox)} in the sandbox, ${cameOf(live)} live`,
                expected: cameOf(sandbox),
                actual: cameOf(live),
              }),
        );
        judgeFields(tally, id, sandbox, live);
      }),
    ),
  );
  return tally.outcome();
};

function judgeFields(tally: Tally, id: string, sandbox: Answer, live: Answer): void {
  judgeNames(
    tally,
    id,
    'envelope',
    live,
    [sandbox, live].map((answer) => (isObject(answer.json) ? [answer.json] : [])),
  );
  const pointer = objects[id];
  if (pointer === undefined) {
    return;
  }
  judgeNames(
    tally,
    id,
    pointer,
    live,
    [sandbox, live].map((answer) => {
      const value = at(answer.json, pointer);
      return (Array.isArray(value) ? value : [value]).filter(isObject);
    }),
  );
}

/** A field that every record of one side has and no record of the other; nulls are left out, they may stand for anything. */
function judgeNames(
  tally: Tally,
  id: string,
  place: string,
  live: Answer,
  sides: readonly (readonly JsonObject[])[],
): void {
  const [ours = [], theirs = []] = sides;
  if (ours.length === 0 || theirs.length === 0) {
    return;
  }
  const always = (rows: readonly JsonObject[]): string[] =>
    Object.keys(rows[0] ?? {}).filter((name) => rows.every((row) => (row[name] ?? null) !== null));
  const lacking = (names: readonly string[], rows: readonly JsonObject[]): string[] =>
    names.filter((name) => rows.every((row) => !(name in row)));
  const onlySandbox = lacking(always(ours), theirs);
  const onlyLive = lacking(always(theirs), ours);
  tally.judge(
    onlySandbox.length + onlyLive.length === 0
      ? null
      : findingOn(live, {
          message: `${id} has other fields live than in the sandbox`,
          place,
          expected: 'the same field names',
          actual: `only in the sandbox: ${onlySandbox.join(', ') || 'none'}; only live: ${onlyLive.join(', ') || 'none'}`,
        }),
  );
}

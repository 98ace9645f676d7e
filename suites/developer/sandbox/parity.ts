import { at, isEmptyValue, isObject, type JsonObject } from '../../../common/json.ts';
import { developerEndpoints } from '../../../contract/developer-endpoints.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Check } from '../../engine/check.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { judgeThat, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { isPlainRead, read } from '../../records/reads.ts';
import { type Answer, isServerFailure } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { comparedKeys } from '../environments.ts';
import { seedPath } from '../seeding.ts';

/** Where the documented objects are whose field names are compared: by endpoint, a JSON pointer. */
const documentedObjects: Readonly<Record<string, string>> = {
  'GET /api/v1/ads/campaigns': '/data/campaigns',
  'GET /api/v1/ads/health-score': '/data',
  'GET /api/v1/investor/pipeline': '/data/deals',
};

/** GETs that both environments have: the seed state is the sandbox's alone. */
const comparedReads = developerEndpoints.filter((endpoint) => isPlainRead(endpoint) && endpoint.path !== seedPath);

/** The answers of both environments to one read. */
interface BothAnswers {
  readonly sandbox: Answer;
  readonly live: Answer;
}

/** Behaviour is identical in both environments: statuses, and field names of the envelope and of documented objects. */
export const judgeParity: Check = async (session) => {
  const { sandbox, live } = await comparedKeys(session);
  const all = sandbox.flatMap((one) => live.map((other) => [one, other] as const));
  // A given key may have rights that no made one has: the two are compared only where there is no other pair.
  const alike = all.filter(([one, other]) => one.origin === other.origin).toReversed();
  const pairs = alike.length > 0 ? alike : all;
  const tally = createTally();
  const compared: BothAnswers[] = [];
  for (const { id } of comparedReads) {
    // The keys that the run made are compared on the reads whose data the document shows.
    for (const keys of pairs.slice(0, id in documentedObjects ? 2 : 1)) {
      await judgePart(tally, async () => {
        compared.push(await judgeRead(session, tally, id, keys));
      });
    }
  }
  // Each field of meta in all reads: a single one may show pages, or a cache, that happen to differ.
  judgeFields(tally, 'meta of every read', '/meta', compared);
  return tally.outcome({ endpoints: comparedReads.length, keys: pairs.flat().map(({ label }) => label) });
};

async function judgeRead(
  session: Session,
  tally: Tally,
  endpoint: string,
  [sandboxKey, liveKey]: readonly [ApiKey, ApiKey],
): Promise<BothAnswers> {
  const sandbox = await read(session, endpoint, { key: sandboxKey });
  const live = await read(session, endpoint, { key: liveKey });
  // A 5xx is an accident rather than a behaviour, and judged by its own clause.
  const broken = [sandbox, live].find(isServerFailure);
  if (broken !== undefined) {
    const message = `Cannot compare ${endpoint}: ${describeAnswer(broken)}`;
    throw undecided(broken, message, 'developer.errors.no-server-error');
  }
  judgeThat(tally, sandbox.status === live.status, live, {
    message: `${endpoint} answers differently: ${describeAnswer(sandbox)} in the sandbox, ${describeAnswer(live)} live`,
    expected: describeAnswer(sandbox),
    actual: describeAnswer(live),
  });
  judgeFields(tally, endpoint, 'envelope', [{ sandbox, live }]);
  const pointer = documentedObjects[endpoint];
  if (pointer !== undefined) {
    judgeFields(tally, endpoint, pointer, [{ sandbox, live }]);
  }
  return { sandbox, live };
}

/** Fewer records of a list, or objects of several answers, do not show which of their fields are optional. */
const fewestRecords = 3;

/** No field at a place is filled in every object of one environment and absent in all objects of the other. */
function judgeFields(tally: Tally, what: string, place: string, compared: readonly BothAnswers[]): void {
  const valuesOf = (environment: keyof BothAnswers): unknown[] =>
    compared.map((both) => (place === 'envelope' ? both[environment].json : at(both[environment].json, place)));
  const [ofSandbox, ofLive] = [valuesOf('sandbox'), valuesOf('live')];
  const [sandboxed, lived] = [ofSandbox.flat().filter(isObject), ofLive.flat().filter(isObject)];
  const isOne = compared.length === 1 && ![...ofSandbox, ...ofLive].some(Array.isArray);
  const [first] = compared;
  if (first === undefined || Math.min(sandboxed.length, lived.length) < (isOne ? 1 : fewestRecords)) {
    return;
  }
  const onlySandbox = absentIn(lived, constantFields(sandboxed));
  const onlyLive = absentIn(sandboxed, constantFields(lived));
  judgeThat(tally, onlySandbox.length + onlyLive.length === 0, first.live, {
    message: `${what} has different fields in live and sandbox`,
    place,
    expected: 'the same field names',
    actual: `only in the sandbox: ${onlySandbox.join(', ') || 'none'}; only live: ${onlyLive.join(', ') || 'none'}`,
  });
}

/** The fields that have a value in every row. */
const constantFields = (rows: readonly JsonObject[]): string[] =>
  Object.keys(rows[0] ?? {}).filter((name) => rows.every((row) => !isEmptyValue(row[name])));

const absentIn = (rows: readonly JsonObject[], names: readonly string[]): string[] =>
  names.filter((name) => rows.every((row) => !(name in row)));

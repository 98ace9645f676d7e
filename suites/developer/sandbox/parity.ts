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
import { assertKeyKnown } from '../keys/lending.ts';
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
  const pairs = pairsOf(await comparedKeys(session));
  const tally = createTally();
  const compared: BothAnswers[] = [];
  await Promise.all(
    comparedReads.flatMap(({ id }) =>
      // The keys that the run made are compared on the reads whose data the document shows.
      pairs.slice(0, id in documentedObjects ? 2 : 1).map(([sandboxKey, liveKey]) =>
        judgePart(tally, async () => {
          compared.push(await judgeRead(session, tally, id, { sandboxKey, liveKey }));
        }),
      ),
    ),
  );
  judgeMeta(tally, compared);
  return tally.outcome({ endpoints: comparedReads.length, keys: pairs.flat().map(({ label }) => label) });
};

/**
 * A key of each environment: given ones and ones that the run made. A given key may have rights that no made one has,
 * such as to manage keys, so the two are compared only where there is no other pair.
 */
function pairsOf({ sandbox, live }: Awaited<ReturnType<typeof comparedKeys>>): (readonly [ApiKey, ApiKey])[] {
  const all = sandbox.flatMap((one) => live.map((other) => [one, other] as const));
  const alike = all.filter(([one, other]) => one.origin === other.origin);
  // Given keys come last.
  return (alike.length > 0 ? alike : all).toReversed();
}

async function judgeRead(
  session: Session,
  tally: Tally,
  endpoint: string,
  { sandboxKey, liveKey }: { readonly sandboxKey: ApiKey; readonly liveKey: ApiKey },
): Promise<BothAnswers> {
  const [sandbox, live] = await Promise.all([
    read(session, endpoint, { key: sandboxKey }),
    read(session, endpoint, { key: liveKey }),
  ]);
  await (sandbox.status === 401 ? assertKeyKnown(session, 'Sandbox key', sandboxKey) : undefined);
  await (live.status === 401 ? assertKeyKnown(session, 'Live key', liveKey) : undefined);
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
  judgeFieldNames(tally, endpoint, 'envelope', { sandbox, live });
  const pointer = documentedObjects[endpoint];
  if (pointer !== undefined) {
    judgeFieldNames(tally, endpoint, pointer, { sandbox, live });
  }
  return { sandbox, live };
}

/** The fields of `meta` in all answers: a single one may show pages, or a cache, that happen to differ. */
function judgeMeta(tally: Tally, compared: readonly BothAnswers[]): void {
  const [first] = compared;
  const metaOf = (answers: readonly Answer[]): JsonObject[] => answers.flatMap((answer) => objectsAt(answer, '/meta'));
  const sandboxed = metaOf(compared.map(({ sandbox }) => sandbox));
  const lived = metaOf(compared.map(({ live }) => live));
  if (first !== undefined && Math.min(sandboxed.length, lived.length) >= fewestRecords) {
    judgeSameFields(tally, { what: 'meta of every read', place: '/meta', live: first.live }, sandboxed, lived);
  }
}

/** The objects at a place: the envelope, one object, or the rows of a list. */
function objectsAt({ json }: Answer, place: string): JsonObject[] {
  const value = place === 'envelope' ? json : at(json, place);
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/** Fewer records of a list do not show which of its fields are optional. */
const fewestRecords = 3;

/** The objects at a place of an answer have the same fields in both environments, where there are enough of them. */
function judgeFieldNames(tally: Tally, endpoint: string, place: string, { sandbox, live }: BothAnswers): void {
  const sandboxed = objectsAt(sandbox, place);
  const lived = objectsAt(live, place);
  const isList = [sandbox, live].some(({ json }) => Array.isArray(at(json, place)));
  if (Math.min(sandboxed.length, lived.length) >= (isList ? fewestRecords : 1)) {
    judgeSameFields(tally, { what: endpoint, place, live }, sandboxed, lived);
  }
}

/** What is compared; `live`: the answer that a finding shows. */
interface Compared {
  readonly what: string;
  readonly place: string;
  readonly live: Answer;
}

/** No field is filled in every record of one environment and absent in all records of the other. */
function judgeSameFields(
  tally: Tally,
  { what, place, live }: Compared,
  sandboxed: readonly JsonObject[],
  lived: readonly JsonObject[],
): void {
  const onlySandbox = absentIn(lived, constantFields(sandboxed));
  const onlyLive = absentIn(sandboxed, constantFields(lived));
  judgeThat(tally, onlySandbox.length + onlyLive.length === 0, live, {
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

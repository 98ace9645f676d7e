import { at, isObject, type JsonObject } from '../../../../common/json.ts';
import { developerEndpoints } from '../../../../contract/developer-endpoints.ts';
import { createTally, type Tally } from '../../../../results/outcome.ts';
import type { Check } from '../../../engine/check.ts';
import { describeAnswer, judgeThat, undecided } from '../../../engine/expect.ts';
import { judgePart } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import { mainKey, requireKey } from '../../../session/keys.ts';
import { isPlainRead, read } from '../../../shared/reads.ts';
import { assertKeyStillKnown } from '../keys/unrecognised-key.ts';
import { comparedKeys } from './compared-keys.ts';

/** Documented objects whose field names are compared, by endpoint: where they stand. */
const objects: Readonly<Record<string, string>> = {
  'GET /api/v1/ads/campaigns': '/data/campaigns',
  'GET /api/v1/ads/health-score': '/data',
  'GET /api/v1/investor/pipeline': '/data/deals',
};

/** GETs that both environments have: a seed state is the sandbox's alone. */
const compared = developerEndpoints.filter(
  (endpoint) => isPlainRead(endpoint) && !endpoint.path.endsWith('/sandbox/seed'),
);

/** Behaviour is identical in both environments: status, and field names of the documented objects. */
export const judgeParity: Check = async (session) => {
  const { sandbox, live } = await comparedKeys(session);
  const pairs = [[sandbox[0], live[0]] as const, [sandbox.at(-1), live.at(-1)] as const];
  const tally = createTally();
  await Promise.all(
    compared.flatMap(({ id }) =>
      // Keys that the run made are compared where the document shows most.
      pairs.slice(0, id in objects ? 2 : 1).map(([ours, theirs]) =>
        judgePart(tally, async () => {
          const key = theirs ?? requireKey(session, 'LIVE_API_KEY');
          const readAs = (one = mainKey(session)): Promise<Answer> => read(session, id, { key: one });
          const [sandboxed, lived] = await Promise.all([readAs(ours), readAs(key)]);
          await assertKeyStillKnown(session, 'Sandbox key', ours ?? mainKey(session), [{ probe: sandboxed }]);
          await assertKeyStillKnown(session, 'Live key', key, [{ probe: lived }]);
          judgeEndpoint(tally, id, sandboxed, lived);
        }),
      ),
    ),
  );
  return tally.outcome({ endpoints: compared.length, keys: pairs.flat().map((key) => key?.label) });
};

function judgeEndpoint(tally: Tally, endpoint: string, sandbox: Answer, live: Answer): void {
  // A 5xx is another clause's matter, and an accident rather than a behaviour.
  const broken = [sandbox, live].find(({ status }) => status === 0 || status >= 500);
  if (broken !== undefined) {
    const message = `${endpoint} cannot be compared: ${describeAnswer(broken)}`;
    throw undecided(broken, message, 'developer.errors.no-server-error');
  }
  const [ours, theirs] = [describeAnswer(sandbox), describeAnswer(live)];
  judgeThat(tally, sandbox.status === live.status, live, {
    message: `${endpoint} answers differently: ${ours} in the sandbox, ${theirs} live`,
    expected: ours,
    actual: theirs,
  });
  judgeFieldNames(tally, endpoint, 'envelope', sandbox, live);
  const pointer = objects[endpoint];
  if (pointer !== undefined) {
    judgeFieldNames(tally, endpoint, pointer, sandbox, live);
  }
}

/** The objects at a place: the envelope, one object, or the rows of a list. */
function objectsAt({ json }: Answer, place: string): JsonObject[] {
  const value = place === 'envelope' ? json : at(json, place);
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/** Fewer records of a list do not show which of its fields are optional. */
const fewestRecords = 3;

/**
 * A field that every record of one side has and no record of the other. What is null or empty is left out, since it may
 * stand for anything, and so are lists of a few records, whose fields may all be optional ones.
 */
function judgeFieldNames(tally: Tally, endpoint: string, place: string, sandbox: Answer, live: Answer): void {
  const [ours, theirs] = [objectsAt(sandbox, place), objectsAt(live, place)];
  const fewest = Math.min(ours.length, theirs.length);
  const isList = [sandbox, live].some(({ json }) => Array.isArray(at(json, place)));
  if (fewest < (isList ? fewestRecords : 1)) {
    return;
  }
  const onlySandbox = missingIn(theirs, constantFields(ours));
  const onlyLive = missingIn(ours, constantFields(theirs));
  judgeThat(tally, onlySandbox.length + onlyLive.length === 0, live, {
    message: `${endpoint} has other fields live than in the sandbox`,
    place,
    expected: 'the same field names',
    actual: `only in the sandbox: ${onlySandbox.join(', ') || 'none'}; only live: ${onlyLive.join(', ') || 'none'}`,
  });
}

const constantFields = (rows: readonly JsonObject[]): string[] =>
  Object.keys(rows[0] ?? {}).filter((name) => rows.every((row) => !isBlank(row[name])));

const isBlank = (value: unknown): boolean =>
  (value ?? null) === null || (typeof value === 'object' && Object.keys(value as object).length === 0);

const missingIn = (rows: readonly JsonObject[], names: readonly string[]): string[] =>
  names.filter((name) => rows.every((row) => !(name in row)));

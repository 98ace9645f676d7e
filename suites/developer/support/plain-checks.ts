import { at } from '../../../common/json.ts';
import { differences } from '../../../common/schema.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { dataSchemas, type Schema } from '../../../contract/schemas.ts';
import { createTally, judged, type Outcome } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { differenceOf, expectAccepted, findingOn } from '../../engine/expect.ts';
import { isSuccess } from '../../session/answer.ts';
import type { Answered } from '../../session/evidence/evidence.ts';
import { givenKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { bodyRefused, refusesBody } from '../../shared/complaints/refused-body.ts';
import { read } from '../../shared/reads.ts';
import { twinOf } from './calls/twins.ts';

/**
 * A documented GET succeeds; where the document shows the data, it is as shown, in every accepted answer of the run.
 * Behaviour is identical between sandbox and live (What the service does), so the live answer, which parity reads anyhow, is
 * judged as well.
 */
export const readSucceeds =
  (endpoint: string): Check =>
  async (session) => {
    const live = givenKey(session, 'LIVE_API_KEY');
    const keys = live === undefined ? [{}] : [{}, { key: live }];
    const answers = await Promise.all(keys.map((details) => read(session, endpoint, details)));
    const tally = createTally();
    for (const answer of answers) {
      tally.judge(expectAccepted(answer, `${endpoint} does not succeed with ${answer.exchange.keyLabel ?? 'no key'}`));
    }
    const { schema } = endpointOf(endpoint);
    if (schema !== undefined) {
      await session.quiet;
      tally.add(judgeShape(session, endpoint, dataSchemas[schema]));
    }
    return tally.outcome();
  };

/** The data of every accepted answer of an endpoint against its schema: filtered, paged, live and sandbox ones. */
function judgeShape({ api, evidence }: Session, endpoint: string, schema: Schema): Outcome {
  const answered = evidence.responses.filter(
    ({ endpoint: called, purpose, response }) =>
      called === endpoint && purpose === 'documented' && isSuccess(response) && api.showsSuccess(response.json),
  );
  const broken = answered.map((exchange) => ({
    exchange,
    differences: differences(schema, at(exchange.response.json, '/data'), '/data'),
  }));
  // The same field of many rows is one cause.
  const causes = Map.groupBy(
    broken.flatMap(({ exchange, differences: all }) => all.map((difference) => ({ exchange, ...difference }))),
    ({ place, expected }) => `${place.replace(/\/\d+(?=\/|$)/g, '/*')} ${expected}`,
  );
  return {
    failures: [...causes.values()].slice(0, 20).map((all) => shapeFinding(endpoint, all, answered.length)),
    undecided: [],
    compared: answered.length,
  };
}

interface Misshapen {
  readonly exchange: Answered;
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

function shapeFinding(endpoint: string, all: readonly Misshapen[], judgedMany: number): Finding {
  const [{ exchange, place, expected, actual }] = all as readonly [Misshapen];
  const many = new Set(all.map((one) => one.exchange.number)).size;
  return findingOn(
    { exchange },
    {
      message: `${differenceOf(endpoint, { place, expected, actual })}, in ${many} of ${judgedMany} answers`,
      expected,
      actual,
      place,
    },
  );
}

/** A documented POST succeeds; a guessed body that is refused decides nothing. */
export const postSucceeds =
  (endpoint: string): Check =>
  async (session) => {
    const { answer } = await twinOf(session, endpoint);
    if (refusesBody(answer)) {
      throw bodyRefused(endpoint, answer);
    }
    return judged(expectAccepted(answer));
  };

import { at } from '../../../../common/json.ts';
import { type Difference, differences } from '../../../../common/schema.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import { dataSchemas, type Schema } from '../../../../contract/schemas.ts';
import { createTally, type Outcome } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import type { Check } from '../../../engine/check.ts';
import { differenceOf, expectAccepted, findingOn } from '../../../engine/expect.ts';
import { read } from '../../../records/reads.ts';
import { isSuccess } from '../../../session/answer.ts';
import type { Answered } from '../../../session/evidence/evidence.ts';
import { givenKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';
import { withAcceptedTwin } from './accepted-twin.ts';
import { judgeLiveWrite } from './live-writes.ts';

/**
 * A documented GET succeeds with the main key and with the given live key, since behaviour is identical in both
 * environments (What the service does). Where the document shows the data, every accepted answer of the run has that
 * shape.
 */
export const readSucceeds =
  (endpoint: string): Check =>
  async (session) => {
    const live = givenKey(session, 'LIVE_API_KEY');
    const answers = await Promise.all([
      read(session, endpoint),
      ...(live === undefined ? [] : [read(session, endpoint, { key: live })]),
    ]);
    const tally = createTally();
    for (const answer of answers) {
      tally.judge(expectAccepted(answer, `${endpoint} failed with ${answer.exchange.keyLabel ?? 'no key'}`));
    }
    const { schema } = endpointOf(endpoint);
    if (schema !== undefined) {
      await session.until('quiet');
      tally.add(judgeShape(session, endpoint, dataSchemas[schema]));
    }
    return tally.outcome();
  };

/** The data of every accepted answer of an endpoint against its schema: filtered, paged, live and sandbox ones. */
function judgeShape({ api, evidence }: Session, endpoint: string, schema: Schema): Outcome {
  const accepted = evidence.responses.filter(
    ({ endpoint: called, purpose, response }) =>
      called === endpoint && purpose === 'documented' && isSuccess(response) && api.showsSuccess(response.json),
  );
  const found = accepted.flatMap((exchange) =>
    differences(schema, at(exchange.response.json, '/data'), '/data').map(
      (difference): FoundDifference => ({ exchange, ...difference }),
    ),
  );
  // The same field of many rows is one cause.
  const causes = Map.groupBy(found, ({ place, expected }) => `${place.replace(/\/\d+(?=\/|$)/g, '/*')} ${expected}`);
  return {
    failures: [...causes.values()].slice(0, 20).map((alike) => shapeFinding(endpoint, alike, accepted.length)),
    undecided: [],
    compared: accepted.length,
  };
}

type FoundDifference = Difference & { readonly exchange: Answered };

/** One finding on differences with the same cause, in some of the answers that were judged. */
function shapeFinding(endpoint: string, alike: readonly FoundDifference[], judgedAnswers: number): Finding {
  const [{ exchange, place, expected, actual }] = alike as readonly [FoundDifference];
  const answers = new Set(alike.map((one) => one.exchange.number)).size;
  const message = `${differenceOf(endpoint, { place, expected, actual })}, in ${answers} of ${judgedAnswers} answers`;
  return findingOn({ exchange }, { message, expected, actual, place });
}

/** A documented POST succeeds, in both environments. A guessed body that is refused decides nothing. */
export const postSucceeds = (endpoint: string): Check =>
  withAcceptedTwin(endpoint, async (session, tally) => {
    tally.judge(null);
    await judgeLiveWrite(session, tally, endpoint);
  });

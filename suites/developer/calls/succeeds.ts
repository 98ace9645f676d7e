import { at } from '../../../common/json.ts';
import { type Difference, differences } from '../../../common/schema.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { dataSchemas, type Schema } from '../../../contract/schemas.ts';
import { createTally, type Outcome, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { differenceOf, expectAccepted, findingOn, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { type Body, bodyRefused, refusesGuess } from '../../records/bodies.ts';
import { read } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import type { Answered } from '../../session/evidence/evidence.ts';
import { givenKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { remarked, type Twin, twinOf, twinWith } from './twins.ts';

// Documented calls that must succeed: with the main key, and with a live one where there is one.

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

/**
 * A check of a documented POST: the plain call is accepted, and then what `then` judges holds. A refused guess at its
 * body decides nothing.
 */
export const withAcceptedTwin =
  (endpoint: string, then: (session: Session, tally: Tally) => Promise<void>): Check =>
  async (session) => {
    const { answer, recipe } = await twinOf(session, endpoint);
    if (recipe !== undefined && refusesGuess(answer, recipe)) {
      throw bodyRefused(endpoint, answer, recipe);
    }
    const tally = createTally();
    if (answer.accepted) {
      await then(session, tally);
    } else {
      tally.judge(expectAccepted(answer));
    }
    return tally.outcome();
  };

/** A documented POST succeeds, in both environments. A guessed body that is refused decides nothing. */
export const postSucceeds = (endpoint: string): Check =>
  withAcceptedTwin(endpoint, async (session, tally) => {
    tally.judge(null);
    await judgeLiveWrite(session, tally, endpoint);
  });

/**
 * Judges the plain call of an endpoint whose fields are documented; gives whether it was accepted. Throws Inconclusive
 * on a 400, since the document does not show which values the fields take, unless the same values were accepted with an
 * optional field added.
 */
export function judgePlainBody(tally: Tally, endpoint: string, { answer, recipe, refusedWithout }: Twin): boolean {
  const plain = refusedWithout ?? answer;
  if (refusedWithout !== undefined) {
    tally.judge(expectAccepted(plain, `${endpoint} fails without an optional field, and succeeds with it`));
  } else if (recipe !== undefined && plain.status === 400) {
    throw bodyRefused(endpoint, plain, recipe, {
      says: 'rejected every value that the suite tried for its documented fields',
    });
  } else {
    tally.judge(expectAccepted(plain));
  }
  return plain.accepted;
}

/**
 * Judges a write that was accepted with the main key, with a live key, too, where there is one and WRITES allows it.
 * `body`: the accepted body, if it is not that of the plain call.
 */
export const judgeLiveWrite = (session: Session, tally: Tally, endpoint: string, body?: Body): Promise<void> =>
  judgePart(tally, async () => {
    const [, key] = await keysOfBothEnvironments(session, endpoint);
    if (key !== undefined) {
      const marked = body && remarked(session, body, key.environment);
      const answer = await (marked === undefined
        ? twinWith(session, endpoint, key)
        : session.client.send(callOf(endpointOf(endpoint), key, { body: marked })));
      judgeLiveAnswer(tally, endpoint, answer);
    }
  });

/** Which values live data know, such as skills and products, is open, and other clauses judge keys and scopes. */
const leavesOpen: readonly number[] = [400, 401, 403, 404];

/** Judges the answer to a write with a live key that the sandbox accepted. Throws Inconclusive where it is open. */
export function judgeLiveAnswer(tally: Tally, endpoint: string, answer: Answer): void {
  const what = `${endpoint} failed with a live key`;
  if (leavesOpen.includes(answer.status)) {
    throw undecided(answer, `${what}, perhaps because of its key or its values`);
  }
  tally.judge(expectAccepted(answer, what));
}

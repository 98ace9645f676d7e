import { createTally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn } from '../engine/expect.ts';
import type { Session } from '../session/session.ts';
import { vocabularies } from './filters/filter.ts';
import { filterSelects } from './filters/selects.ts';
import type { Body, TriedBody } from './support/bodies/bodies.ts';
import { judgeMissingFields, judgePlainBody } from './support/calls/documented-bodies.ts';
import { firstAccepted } from './support/calls/first-accepted.ts';
import { learnFrom } from './support/calls/learnt-body.ts';
import { judgeLiveWrite } from './support/calls/live-writes.ts';
import { postSucceeds, readSucceeds } from './support/calls/plain-checks.ts';
import { twinOf } from './support/calls/twins.ts';
import { keysOfBothEnvironments } from './support/data/environments.ts';

const generate = 'POST /api/v1/content/generate';
const posts = 'GET /api/v1/content/posts';

/** Content. */
export const content: Checks = {
  'developer.content.generate': async (session) => {
    const tally = createTally();
    const twin = await twinOf(session, generate);
    if (judgePlainBody(tally, generate, twin)) {
      await judgeLiveWrite(session, tally, generate);
      const { answer, body } = await withWordCount(session, twin.body as Body);
      tally.judge(expectAccepted(answer, `${generate} does not accept word_count`));
      if (answer.accepted) {
        await judgeLiveWrite(session, tally, generate, body as Body);
      }
    }
    return tally.outcome();
  },

  'developer.content.generate-validation': (session) =>
    judgeMissingFields(session, generate, [{ missing: 'topic' }, { missing: 'product' }, { missing: 'tone' }]),

  'developer.content.posts': readSucceeds(posts),
  'developer.content.posts-status': filterSelects(vocabularies.posts),
  'developer.content.review': postSucceeds('POST /api/v1/content/review'),
};

/**
 * Adds word_count to an accepted body. The document does not show which numbers it takes: several are tried, and what
 * the refusals ask for. Throws Inconclusive where all get 400.
 */
async function withWordCount(session: Session, body: Body): Promise<TriedBody> {
  const withCount = (word_count: number): Body => ({ ...body, word_count });
  const [key] = await keysOfBothEnvironments(session, generate);
  const send = (...bodies: readonly [Body, ...Body[]]): Promise<TriedBody> =>
    firstAccepted(session, generate, bodies, key);
  const first = await send(withCount(300), withCount(500), withCount(1000));
  const learnt = await learnFrom(session, generate, first, { among: ['word_count'], send });
  if (learnt.answer.status === 400) {
    throw new Inconclusive(
      findingOn(learnt.answer, {
        message: `${generate} accepts none of the word_count values tried: ${describeAnswer(learnt.answer)}`,
        advice: `Add a working body with word_count for ${generate} to your BODIES file`,
      }),
    );
  }
  return learnt;
}

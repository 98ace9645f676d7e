import { createTally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn } from '../engine/expect.ts';
import type { Session } from '../session/session.ts';
import { type Body, firstAccepted, type TriedBody } from './support/calls/bodies.ts';
import { judgeMissingFields, judgePlainBody } from './support/calls/documented-bodies.ts';
import { learnFrom } from './support/calls/learnt-body.ts';
import { twinOf } from './support/calls/twins.ts';
import { keysOfBothEnvironments } from './support/data/environments.ts';
import { vocabularies } from './support/filters/filter-lists.ts';
import { filterSelects } from './support/filters/judge-filter.ts';
import { postSucceeds, readSucceeds } from './support/plain-checks.ts';

const generate = 'POST /api/v1/content/generate';
const posts = 'GET /api/v1/content/posts';

/** Content. */
export const content: Checks = {
  'developer.content.generate': async (session) => {
    const tally = createTally();
    const twin = await twinOf(session, generate);
    if (judgePlainBody(tally, generate, twin)) {
      tally.judge(await wordCountFinding(session, twin.body as Body));
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
 * The finding on word_count added to an accepted body; null: it is accepted. The document does not show which numbers
 * are: several are tried, and what the refusals ask for. Throws Inconclusive where all get 400.
 */
async function wordCountFinding(session: Session, body: Body): Promise<Finding | null> {
  const withCount = (word_count: number): Body => ({ ...body, word_count });
  const [key] = await keysOfBothEnvironments(session, generate);
  const send = (...bodies: readonly [Body, ...Body[]]): Promise<TriedBody> =>
    firstAccepted(session, generate, bodies, key);
  const first = await send(withCount(300), withCount(500), withCount(1000));
  const { answer } = await learnFrom(session, generate, first, { among: ['word_count'], send });
  if (answer.status === 400) {
    throw new Inconclusive(
      findingOn(answer, {
        message: `${generate} accepts none of the word_count values tried: ${describeAnswer(answer)}`,
        cause: 'Put a body with a word_count that works into the file that BODIES names',
      }),
    );
  }
  return expectAccepted(answer, `${generate} does not accept word_count`);
}

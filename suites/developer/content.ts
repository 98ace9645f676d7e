import { createTally, type Tally } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { Session } from '../session/session.ts';
import { type Body, firstAccepted } from './support/bodies.ts';
import { keysOfBothEnvironments } from './support/environments.ts';
import { vocabularies } from './support/filtered.ts';
import { filterSelects } from './support/judge-filter.ts';
import { postSucceeds, readSucceeds } from './support/plain-checks.ts';
import { twinOf } from './support/twins.ts';
import { judgeMissingFields, judgePlainBody } from './support/validated.ts';

const generate = 'POST /api/v1/content/generate';
const posts = 'GET /api/v1/content/posts';

/** Content. */
export const content: Checks = {
  'developer.content.generate': async (session) => {
    const tally = createTally();
    const twin = await twinOf(session, generate);
    if (judgePlainBody(tally, generate, twin)) {
      await judgePart(tally, () => judgeWordCount(session, tally, twin.body as Body));
    }
    return tally.outcome();
  },

  'developer.content.generate-validation': (session) =>
    judgeMissingFields(session, generate, [{ missing: 'topic' }, { missing: 'product' }, { missing: 'tone' }]),

  'developer.content.posts': readSucceeds(posts),
  'developer.content.posts-status': filterSelects(vocabularies.posts),
  'developer.content.review': postSucceeds('POST /api/v1/content/review'),
};

/** Which word counts are taken is not shown: where one gets 400 the next is tried, and none taken decides nothing. */
async function judgeWordCount(session: Session, tally: Tally, body: Body): Promise<void> {
  const counted = (word_count: number): Body => ({ ...body, word_count });
  const [key] = await keysOfBothEnvironments(session, generate);
  const { answer } = await firstAccepted(session, generate, [counted(300), counted(500), counted(1000)], key);
  if (answer.status === 400) {
    tally.leaveOpen(
      findingOn(answer, {
        message: `${generate} accepts none of the word_count values tried: ${describeAnswer(answer)}`,
        cause: 'Put a body with a word_count that works into the file that BODIES names',
      }),
    );
  } else {
    tally.judge(expectAccepted(answer, `${generate} does not accept word_count`));
  }
}

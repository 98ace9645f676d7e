import { createTally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn } from '../engine/expect.ts';
import type { Body } from '../records/bodies.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { judgeLiveWrite, judgePlainBody, postSucceeds, readSucceeds } from './calls/succeeds.ts';
import { type Twin, twinOf } from './calls/twins.ts';
import { vocabularies } from './filters/documented.ts';
import { filterSelects } from './filters/judge.ts';

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
 * Adds word_count to an accepted body. The document does not show which numbers it takes: several are tried. Throws
 * Inconclusive where all get 400.
 */
async function withWordCount(session: Session, body: Body): Promise<Twin> {
  const tried: Twin[] = [];
  for (const word_count of [300, 500, 1000]) {
    const counted = { ...body, word_count };
    const answer = await send(session, generate, { body: counted });
    if (answer.status !== 400) {
      return { answer, body: counted };
    }
    tried.push({ answer, body: counted });
  }
  const [{ answer }] = tried as [Twin];
  throw new Inconclusive(
    findingOn(answer, {
      message: `${generate} accepts none of the word_count values tried: ${describeAnswer(answer)}`,
      advice: `Add a working body with word_count for ${generate} to your BODIES file`,
    }),
  );
}

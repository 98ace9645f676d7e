import { createTally } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { expectAccepted } from '../engine/expect.ts';
import { send } from '../session/send.ts';
import type { Body } from './support/bodies.ts';
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
      const counted = await send(session, generate, { body: { ...(twin.body as Body), word_count: 300 } });
      tally.judge(expectAccepted(counted, `${generate} does not take word_count`));
    }
    return tally.outcome();
  },

  'developer.content.generate-validation': (session) =>
    judgeMissingFields(session, generate, [{ missing: 'topic' }, { missing: 'product' }, { missing: 'tone' }]),

  'developer.content.posts': readSucceeds(posts),
  'developer.content.posts-status': filterSelects(vocabularies.posts),
  'developer.content.review': postSucceeds('POST /api/v1/content/review'),
};

import type { Checks } from '../engine/check.ts';
import { documentedPostSucceeds, generate } from './calls/documented-post.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { postSucceeds, readSucceeds } from './calls/succeeds.ts';
import { vocabularies } from './filters/documented.ts';
import { filterSelects } from './filters/judge.ts';

/** Content. */
export const content: Checks = {
  'developer.content.generate': documentedPostSucceeds(generate, 'word_count'),
  'developer.content.generate-validation': (session) =>
    judgeMissingFields(session, generate, [{ missing: 'topic' }, { missing: 'product' }, { missing: 'tone' }]),

  'developer.content.posts': readSucceeds('GET /api/v1/content/posts'),
  'developer.content.posts-status': filterSelects(vocabularies.posts),
  'developer.content.review': postSucceeds('POST /api/v1/content/review'),
};

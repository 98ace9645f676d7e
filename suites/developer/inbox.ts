import type { Checks } from '../engine/check.ts';
import { resultOrNull } from '../engine/parts.ts';
import type { Body } from '../records/bodies.ts';
import { documentedPostSucceeds, draft, fullBody } from './calls/documented-post.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { postSucceeds, readSucceeds } from './calls/succeeds.ts';
import { twinOf } from './calls/twins.ts';

/** AI email. */
export const inbox: Checks = {
  'developer.inbox.draft': documentedPostSucceeds(draft, 'skill and tone'),

  'developer.inbox.draft-validation': async (session) => {
    const alone = { missing: 'thread_context' };
    const withTone = { ...alone, added: { tone: 'professional' } };
    // A skill of one environment may be unknown in the other.
    const isAccepted = (await resultOrNull(twinOf(session, draft)))?.answer.accepted === true;
    const full = isAccepted ? await resultOrNull(fullBody(session, draft)) : null;
    const withAll = full?.answer.accepted ? { ...alone, added: full.body as Body } : withTone;
    return judgeMissingFields(session, draft, [alone, withAll], [alone, withTone]);
  },

  'developer.inbox.categorize': postSucceeds('POST /api/v1/inbox/categorize'),
  'developer.inbox.skills': readSucceeds('GET /api/v1/inbox/skills'),
  'developer.inbox.skills-learn': postSucceeds('POST /api/v1/inbox/skills/learn'),
};

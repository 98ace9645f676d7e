import { atMoment, type Checks, type Suite } from '../engine/check.ts';
import { distrust } from '../shared/refusals/keys-refused.ts';
import { developerApi } from './api.ts';
import { auth } from './auth.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { documentedPostSucceeds, draft, generate, postSucceeds, readSucceeds } from './calls/succeeds.ts';
import { envelope } from './envelope.ts';
import { errors } from './errors.ts';
import { vocabularies } from './filters/documented.ts';
import { judgeKeywordFilters, judgeKeywordLimit, judgeKeywordsAccepted } from './filters/keywords.ts';
import { filterSelects, filters, windowsSelect } from './filters.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { sandbox } from './sandbox.ts';
import { scopes } from './scopes.ts';

/** The six product modules, in the document's order. Where it shows the data, all answers of the run are judged. */
const modules: Checks = {
  'developer.ads.campaigns': atMoment('quiet', readSucceeds('GET /api/v1/ads/campaigns')),
  'developer.ads.campaigns-status': filterSelects(vocabularies.campaigns),
  'developer.ads.health-score': atMoment('quiet', readSucceeds('GET /api/v1/ads/health-score')),
  'developer.ads.keywords': judgeKeywordsAccepted,
  'developer.ads.keywords-limit': judgeKeywordLimit,
  'developer.ads.keywords-filters': judgeKeywordFilters,
  'developer.ads.audits-create': postSucceeds('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': readSucceeds('GET /api/v1/ads/audits'),

  'developer.investor.pipeline': atMoment('quiet', readSucceeds('GET /api/v1/investor/pipeline')),
  'developer.investor.readiness': readSucceeds('GET /api/v1/investor/readiness'),
  'developer.investor.data-room': readSucceeds('GET /api/v1/investor/data-room'),
  'developer.investor.updates-list': readSucceeds('GET /api/v1/investor/updates'),
  'developer.investor.updates-create': postSucceeds('POST /api/v1/investor/updates'),

  'developer.scheduling.bookings': readSucceeds('GET /api/v1/developer/export/bookings'),
  'developer.scheduling.bookings-status': filterSelects(vocabularies.bookings),
  'developer.scheduling.bookings-window': windowsSelect,
  'developer.scheduling.leads': readSucceeds('GET /api/v1/developer/export/leads'),
  'developer.scheduling.leads-status': filterSelects(vocabularies.leads),
  'developer.scheduling.leads-source': filterSelects(vocabularies.sources),

  'developer.inbox.draft': documentedPostSucceeds(draft, 'skill and tone'),
  'developer.inbox.draft-validation': judgeMissingFields(draft),
  'developer.inbox.categorize': postSucceeds('POST /api/v1/inbox/categorize'),
  'developer.inbox.skills': readSucceeds('GET /api/v1/inbox/skills'),
  'developer.inbox.skills-learn': postSucceeds('POST /api/v1/inbox/skills/learn'),

  'developer.routing.me': readSucceeds('GET /api/v1/platform/me'),
  'developer.routing.me-subscriptions': readSucceeds('GET /api/v1/platform/me/subscriptions'),

  'developer.content.generate': documentedPostSucceeds(generate, 'word_count'),
  'developer.content.generate-validation': judgeMissingFields(generate),
  'developer.content.posts': readSucceeds('GET /api/v1/content/posts'),
  'developer.content.posts-status': filterSelects(vocabularies.posts),
  'developer.content.review': postSucceeds('POST /api/v1/content/review'),
};

/** All checks of the developer API. */
export const developerSuite: Suite = {
  api: developerApi,
  checks: {
    ...envelope,
    ...errors,
    ...auth,
    ...scopes,
    ...modules,
    ...filters,
    ...sandbox,
    ...keys,
    ...limits,
  },
  // Bad keys come last: a deployment may lock the caller out for them, and limits are driven for minutes.
  moments: ['quiet', 'badKeys'],
  distrust,
};

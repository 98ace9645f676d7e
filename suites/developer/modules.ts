import { atMoment, type Checks } from '../engine/check.ts';
import { judgeMissingFields } from './calls/refused-bodies.ts';
import { creates, documentedPostSucceeds, draft, generate, postSucceeds, readSucceeds } from './calls/succeeds.ts';
import { vocabularies } from './filters/documented.ts';
import { judgeKeywordFilters, judgeKeywordLimit, judgeKeywordsAccepted } from './filters/keywords.ts';
import { filterSelects, windowsSelect } from './filters.ts';

/** The six product modules, in the document's order. Where it shows the data, all answers of the run are judged. */
export const modules: Checks = {
  'developer.ads.campaigns': atMoment('quiet', readSucceeds('GET /api/v1/ads/campaigns')),
  'developer.ads.campaigns-status': filterSelects(vocabularies.campaigns),
  'developer.ads.health-score': atMoment('quiet', readSucceeds('GET /api/v1/ads/health-score')),
  'developer.ads.keywords': judgeKeywordsAccepted,
  'developer.ads.keywords-limit': judgeKeywordLimit,
  'developer.ads.keywords-filters': judgeKeywordFilters,
  'developer.ads.audits-create': creates('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': readSucceeds('GET /api/v1/ads/audits'),

  'developer.investor.pipeline': atMoment('quiet', readSucceeds('GET /api/v1/investor/pipeline')),
  'developer.investor.readiness': readSucceeds('GET /api/v1/investor/readiness'),
  'developer.investor.data-room': readSucceeds('GET /api/v1/investor/data-room'),
  'developer.investor.updates-list': readSucceeds('GET /api/v1/investor/updates'),
  'developer.investor.updates-create': creates('POST /api/v1/investor/updates'),

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

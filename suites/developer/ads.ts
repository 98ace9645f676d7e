import { atMoment, type Checks } from '../engine/check.ts';
import { creates, readSucceeds } from './calls/succeeds.ts';
import { vocabularies } from './filters/documented.ts';
import { filterSelects } from './filters/judge.ts';
import { judgeKeywordFilters, judgeKeywordLimit, judgeKeywordsAccepted } from './keywords.ts';

/** Ad intelligence. */
export const ads: Checks = {
  'developer.ads.campaigns': atMoment('quiet', readSucceeds('GET /api/v1/ads/campaigns')),
  'developer.ads.campaigns-status': filterSelects(vocabularies.campaigns),
  'developer.ads.health-score': atMoment('quiet', readSucceeds('GET /api/v1/ads/health-score')),
  'developer.ads.keywords': judgeKeywordsAccepted,
  'developer.ads.keywords-limit': judgeKeywordLimit,
  'developer.ads.keywords-filters': judgeKeywordFilters,
  'developer.ads.audits-create': creates('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': readSucceeds('GET /api/v1/ads/audits'),
};

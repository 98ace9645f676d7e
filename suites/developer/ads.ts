import { at, walk } from '../../common/json.ts';
import { createTally } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { expectAccepted, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/answer.ts';
import { read } from '../shared/reads.ts';
import { vocabularies } from './support/filtered.ts';
import { filterSelects } from './support/judge-filter.ts';
import { postSucceeds, readSucceeds } from './support/plain-checks.ts';

const campaigns = 'GET /api/v1/ads/campaigns';
const keywords = 'GET /api/v1/ads/keywords';

/** Ad intelligence. */
export const ads: Checks = {
  'developer.ads.campaigns': readSucceeds(campaigns),
  'developer.ads.campaigns-status': filterSelects(vocabularies.campaigns),
  'developer.ads.health-score': readSucceeds('GET /api/v1/ads/health-score'),

  'developer.ads.keywords': async (session) => {
    const tally = createTally();
    const campaignId = at((await read(session, campaigns)).json, '/data/campaigns/0/id');
    const isKnown = typeof campaignId === 'string';
    const queries = [{}, { min_spend: 0.5 }, { limit: 1 }, ...(isKnown ? [{ campaign_id: campaignId }] : [])];
    for (const answer of await Promise.all(queries.map((query) => read(session, keywords, { query })))) {
      tally.judge(expectAccepted(answer));
    }
    if (!isKnown) {
      tally.leaveOpen({ message: `${keywords} is not tried with campaign_id: no campaign is known` });
    }
    return tally.outcome();
  },

  'developer.ads.keywords-limit': async (session) => {
    const tally = createTally();
    const [all, one] = await Promise.all([read(session, keywords), read(session, keywords, { query: { limit: 1 } })]);
    const long = all.accepted ? arraysOf(all).filter(({ length }) => length > 1) : [];
    if (long.length === 0 || !one.accepted) {
      tally.leaveOpen(
        findingOn(one.accepted ? all : one, {
          message: `${keywords} shows no list of more than one keyword, so a page of one would look the same`,
          cause: 'More keywords would decide it',
          blames: 'developer.ads.keywords',
        }),
      );
      return tally.outcome();
    }
    // Which list holds the keywords is not shown: the limit is kept where any list that was longer shrank.
    const lengths = long.map(({ pointer }) => lengthAt(one, pointer));
    const fewest = Math.min(...lengths);
    tally.judge(
      fewest <= 1
        ? null
        : findingOn(one, {
            message: `limit=1 yields ${fewest} keywords`,
            expected: 'at most one keyword',
            actual: `${fewest} entries`,
            place: `/data${long[0]?.pointer ?? ''}`,
          }),
    );
    return tally.outcome({ lists: long.map(({ pointer }) => `/data${pointer}`) });
  },

  'developer.ads.audits-create': postSucceeds('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': readSucceeds('GET /api/v1/ads/audits'),
};

/** Every array in data, of objects or of plain values: keywords may be mere words. */
const arraysOf = (answer: Answer): { pointer: string; length: number }[] =>
  walk(at(answer.json, '/data')).flatMap(({ value, pointer }) =>
    Array.isArray(value) && !/\/\d+\//.test(pointer) ? [{ pointer, length: value.length }] : [],
  );

const lengthAt = (answer: Answer, pointer: string): number => {
  const value = at(answer.json, `/data${pointer}`);
  return Array.isArray(value) ? value.length : 0;
};

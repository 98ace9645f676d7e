import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { creates } from './support/data/creations.ts';
import { keysOfBothEnvironments, readAs } from './support/data/environments.ts';
import {
  judgeFiltersBesides,
  judgeLimitBesides,
  judgeTakenBesides,
} from './support/filters/combined-keyword-parameters.ts';
import { vocabularies } from './support/filters/filter-lists.ts';
import { filterSelects } from './support/filters/judge-filter.ts';
import { judgeCampaigns, judgeMinSpend } from './support/filters/keyword-filters.ts';
import { campaignIds, keywords, rowsLike, small, spentAtLeast, wordsIn } from './support/filters/keywords.ts';
import { readSucceeds } from './support/plain-checks.ts';

const campaigns = vocabularies.campaigns.endpoint;

/** Judges keywords with a key of each environment: with a given one of the second only where the first shows nothing. */
const inBoth =
  (...parts: readonly ((session: Session, tally: Tally, key: ApiKey) => Promise<void>)[]): Check =>
  async (session): Promise<Outcome> => {
    const tally = createTally();
    for (const key of await keysOfBothEnvironments(session, keywords)) {
      if (key.origin === 'own' || tally.outcome().compared === 0) {
        await Promise.all(parts.map((part) => judgePart(tally, () => part(session, tally, key))));
      }
    }
    return tally.outcome();
  };

/** Ad intelligence. */
export const ads: Checks = {
  'developer.ads.campaigns': readSucceeds(campaigns),
  'developer.ads.campaigns-status': filterSelects(vocabularies.campaigns),
  'developer.ads.health-score': readSucceeds('GET /api/v1/ads/health-score'),
  'developer.ads.keywords': inBoth(judgeTaken),
  'developer.ads.keywords-limit': inBoth(judgeLimit, judgeLimitBesides),
  'developer.ads.keywords-filters': inBoth(judgeMinSpend, judgeCampaigns, judgeFiltersBesides),
  'developer.ads.audits-create': creates('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': readSucceeds('GET /api/v1/ads/audits'),
};

/** The list succeeds alone and with each of its parameters. Which numbers min_spend takes is not shown. */
async function judgeTaken(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [campaignId] = await campaignIds(session, key);
  const [plain, limited, { answer: spent }] = await Promise.all([
    readAs(session, keywords, { key }),
    readAs(session, keywords, { key, query: { limit: 1 } }),
    spentAtLeast(session, key, small),
  ]);
  tally.judge(expectAccepted(plain), expectAccepted(limited, `${keywords} does not succeed with limit=1`));
  if (spent.status === 400) {
    tally.leaveOpen(
      findingOn(spent, { message: `${keywords} accepts none of the min_spend values tried: ${describeAnswer(spent)}` }),
    );
  } else {
    tally.judge(expectAccepted(spent, `${keywords} does not succeed with min_spend`));
  }
  if (campaignId === undefined) {
    tally.leaveOpen({ message: `${keywords} is not tried with campaign_id: no campaign is known` });
    return;
  }
  const own = await readAs(session, keywords, { key, query: { campaign_id: campaignId } });
  tally.judge(expectAccepted(own, `${keywords} does not succeed with campaign_id`));
  await judgePart(tally, () => judgeTakenBesides(session, tally, key));
}

async function judgeLimit(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [all, one] = await Promise.all([
    readAs(session, keywords, { key }),
    readAs(session, keywords, { key, query: { limit: 1 } }),
  ]);
  const long = all.accepted ? wordsIn(all).filter(({ rows }) => rows.length > 1) : [];
  if (long.length === 0 || !one.accepted) {
    const message = `${keywords} shows no list of more than one keyword, so limit=1 would look the same`;
    throw undecided(one.accepted ? all : one, message, 'developer.ads.keywords');
  }
  // Which list holds the keywords is not shown: the limit is kept where any list that was longer shrank.
  const fewest = Math.min(...long.map((list) => rowsLike(one, list).length));
  judgeThat(tally, fewest <= 1, one, {
    message: `limit=1 yields ${fewest} keywords`,
    expected: 'at most one keyword',
    actual: `${fewest} entries`,
    place: `/data${long[0]?.pointer ?? ''}`,
  });
}

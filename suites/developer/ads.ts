import { createTally, type Outcome, type Tally } from '../../results/outcome.ts';
import { atMoment, type Check, type Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, findingOn, judgeThat, undecided } from '../engine/expect.ts';
import { judgePart } from '../engine/parts.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { readSucceeds } from './support/calls/plain-checks.ts';
import { keysOfBothEnvironments, readAs } from './support/data/environments.ts';
import {
  judgeCombinedAccepted,
  judgeCombinedFilters,
  judgeCombinedLimit,
} from './support/filters/combined-keyword-parameters.ts';
import { vocabularies } from './support/filters/filter-lists.ts';
import { filterSelects } from './support/filters/judge-filter.ts';
import { judgeCampaigns, judgeMinSpend } from './support/filters/keyword-filters.ts';
import {
  campaignIds,
  keywordListsIn,
  keywords,
  readWithMinSpend,
  rowsAt,
  smallSpends,
} from './support/filters/keywords.ts';
import { creates } from './support/records/creations.ts';

const campaigns = vocabularies.campaigns.endpoint;

/** Judges a clause with a key of each environment; with a given live one only where the sandbox decides nothing. */
const inBothEnvironments =
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
  'developer.ads.campaigns': atMoment('quiet', readSucceeds(campaigns)),
  'developer.ads.campaigns-status': filterSelects(vocabularies.campaigns),
  'developer.ads.health-score': atMoment('quiet', readSucceeds('GET /api/v1/ads/health-score')),
  'developer.ads.keywords': inBothEnvironments(judgeAccepted),
  'developer.ads.keywords-limit': inBothEnvironments(judgeLimit, judgeCombinedLimit),
  'developer.ads.keywords-filters': inBothEnvironments(judgeMinSpend, judgeCampaigns, judgeCombinedFilters),
  'developer.ads.audits-create': creates('POST /api/v1/ads/audits'),
  'developer.ads.audits-list': readSucceeds('GET /api/v1/ads/audits'),
};

/** The list succeeds alone, with each parameter, and with several. Which numbers min_spend accepts is open. */
async function judgeAccepted(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [campaignId] = await campaignIds(session, key);
  const [plain, limited, { answer: spent }] = await Promise.all([
    readAs(session, keywords, { key }),
    readAs(session, keywords, { key, query: { limit: 1 } }),
    readWithMinSpend(session, key, smallSpends),
  ]);
  tally.judge(expectAccepted(plain), expectAccepted(limited, `${keywords} failed with limit=1`));
  if (spent.status === 400) {
    tally.leaveOpen(
      findingOn(spent, { message: `${keywords} accepts none of the min_spend values tried: ${describeAnswer(spent)}` }),
    );
  } else {
    tally.judge(expectAccepted(spent, `${keywords} failed with min_spend`));
  }
  if (campaignId === undefined) {
    tally.leaveOpen({ message: `${keywords} was not tried with campaign_id: no campaign is known` });
    return;
  }
  const ofCampaign = await readAs(session, keywords, { key, query: { campaign_id: campaignId } });
  tally.judge(expectAccepted(ofCampaign, `${keywords} failed with campaign_id`));
  await judgePart(tally, () => judgeCombinedAccepted(session, tally, key));
}

/** limit=1 yields at most one keyword. */
async function judgeLimit(session: Session, tally: Tally, key: ApiKey): Promise<void> {
  const [plain, limited] = await Promise.all([
    readAs(session, keywords, { key }),
    readAs(session, keywords, { key, query: { limit: 1 } }),
  ]);
  const lists = plain.accepted ? keywordListsIn(plain).filter(({ rows }) => rows.length > 1) : [];
  if (lists.length === 0 || !limited.accepted) {
    const message = `${keywords} lists fewer than two keywords, so limit=1 cannot be judged`;
    throw undecided(limited.accepted ? plain : limited, message, 'developer.ads.keywords');
  }
  // Which list holds the keywords is open: the limit holds where any longer list has at most one now.
  const fewest = Math.min(...lists.map((list) => rowsAt(limited, list).length));
  judgeThat(tally, fewest <= 1, limited, {
    message: `limit=1 returned ${fewest} keywords`,
    expected: 'at most one keyword',
    actual: `${fewest} entries`,
    place: `/data${lists[0]?.pointer ?? ''}`,
  });
}

import { at, walk } from '../../common/json.ts';
import { createTally } from '../../results/outcome.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, expectAccepted, findingOn } from '../engine/expect.ts';
import type { Answer } from '../session/call.ts';
import { read } from './calls.ts';

const keywords = 'GET /api/v1/ads/keywords';

/** Keyword analysis: its three parameters. */
export const ads: Checks = {
  'developer.ads.keywords': async (session) => {
    const tally = createTally();
    const campaignId = at((await read(session, 'GET /api/v1/ads/campaigns')).json, '/data/campaigns/0/id');
    const known = typeof campaignId === 'string';
    const queries = [{}, { min_spend: 0.5 }, { limit: 1 }, ...(known ? [{ campaign_id: campaignId }] : [])];
    for (const answer of await Promise.all(queries.map((query) => read(session, keywords, query)))) {
      tally.judge(expectAccepted(answer));
    }
    if (!known) {
      tally.leaveOpen({ message: `${keywords} is not tried with campaign_id: no campaign is known` });
    }
    return tally.outcome();
  },

  'developer.ads.keywords-limit': async (session) => {
    const tally = createTally();
    const [all, one] = await Promise.all([read(session, keywords), read(session, keywords, { limit: 1 })]);
    const long = accepted(all) ? arraysOf(all).filter(({ length }) => length > 1) : [];
    if (long.length === 0 || !accepted(one)) {
      tally.leaveOpen(
        findingOn(accepted(one) ? all : one, {
          message: `${keywords} shows no list of more than one keyword, so a page of one cannot be told from it`,
          cause: 'More keywords would decide it',
          blames: 'developer.ads.keywords',
        }),
      );
      return tally.outcome();
    }
    // Which list holds the keywords is not shown: the limit is kept where any list that was longer shrank.
    const lengths = long.map(({ pointer }) => lengthAt(one, pointer));
    tally.judge(
      lengths.some((length) => length <= 1)
        ? null
        : findingOn(one, {
            message: `limit=1 yields ${Math.min(...lengths)} keywords`,
            expected: 'at most one keyword',
            actual: `${Math.min(...lengths)} entries`,
            place: `/data${long[0]?.pointer ?? ''}`,
          }),
    );
    return tally.outcome({ lists: long.map(({ pointer }) => `/data${pointer}`) });
  },
};

/** Every array in data, of objects or of plain values: keywords may be mere words. */
const arraysOf = (answer: Answer): { pointer: string; length: number }[] =>
  walk(at(answer.json, '/data'))
    .filter(({ value, pointer }) => Array.isArray(value) && !/\/\d+\//.test(pointer))
    .map(({ pointer, value }) => ({ pointer, length: (value as unknown[]).length }));

const lengthAt = (answer: Answer, pointer: string): number => {
  const value = at(at(answer.json, '/data'), pointer);
  return Array.isArray(value) ? value.length : 0;
};

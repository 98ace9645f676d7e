import { createTally, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { judgeInTurn, judgePart } from '../engine/parts.ts';
import type { ApiKey } from '../session/key.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { read } from '../shared/reads.ts';
import { keysOfBothEnvironments, modesOfFilters } from './support/data/environments.ts';
import { listIn } from './support/data/rows.ts';
import { judgeBookings, judgeLeads } from './support/filters/combined-filters.ts';
import { type Filter, vocabularies } from './support/filters/filter-lists.ts';

/** Filters: two at once, and what the documents leave open. */
export const filters: Checks = {
  'developer.filters.combined': async (session) => {
    const keysFor = ({ endpoint }: Filter) => keysOfBothEnvironments(session, endpoint);
    const parts = [
      ...(await keysFor(vocabularies.leads)).map((key) => ({ key, judge: judgeLeads })),
      ...(await keysFor(vocabularies.bookings)).map((key) => ({ key, judge: judgeBookings })),
    ];
    return judgeInTurn(parts, (tally, { key, judge }) => judgeLasting(session, tally, key, judge));
  },

  'developer.filters.unknown-value': async (session) => {
    const rows = await Promise.all(
      Object.values(vocabularies).map(
        async (filter) => [`${filter.endpoint}?${filter.name}`, await unknownValue(session, filter)] as const,
      ),
    );
    return observed(Object.fromEntries(rows));
  },
};

/**
 * Judges a list. Where it fails, it is judged again after KEY_SETTLE_MS, since records may change while a run goes on,
 * and with all lists read in one mode, then in the other: keys may see other data in the query.
 */
async function judgeLasting(session: Session, tally: Tally, key: ApiKey, judge: typeof judgeLeads): Promise<void> {
  let outcome = await outcomeOf((one) => judge(session, one, { key }));
  if (outcome.failures.length > 0) {
    await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    outcome = noOutcome;
    for (const mode of await modesOfFilters(session, key)) {
      if (outcome.failures.length === 0) {
        outcome = await outcomeOf((one) => judge(session, one, { key, isFresh: true, mode }));
      }
    }
  }
  tally.add(outcome);
}

const noOutcome: Outcome = { failures: [], undecided: [], compared: 0 };

async function outcomeOf(judge: (tally: Tally) => Promise<void>): Promise<Outcome> {
  const tally = createTally();
  await judgePart(tally, () => judge(tally));
  return tally.outcome();
}

/** What a value outside the vocabulary yields, in words. */
async function unknownValue(session: Session, { endpoint, name, noun }: Filter): Promise<string> {
  const [key] = await keysOfBothEnvironments(session, endpoint);
  const all = listIn(await read(session, endpoint, { key }), noun)?.rows.length;
  const answer = await send(session, endpoint, { key, query: { [name]: 'no-such-value' }, purpose: 'off-document' });
  if (!answer.accepted) {
    return `error: ${describeAnswer(answer)}`;
  }
  const rows = listIn(answer, noun)?.rows.length;
  if (rows === undefined) {
    return `${answer.status}, no list of objects`;
  }
  if (rows === 0) {
    return 'no rows';
  }
  return rows === all ? 'all rows' : `${rows} of ${all ?? 'unknown many'} rows`;
}

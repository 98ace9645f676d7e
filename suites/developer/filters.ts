import { observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { judgeInTurn } from '../engine/parts.ts';
import { read } from '../records/reads.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { judgeBookings, judgeLeads } from './filters/combined.ts';
import { bookings, type Filter, leads, vocabularies } from './filters/filter.ts';
import { listIn } from './rows.ts';

/** Filters: two at once, and what the documents leave open. */
export const filters: Checks = {
  'developer.filters.combined': async (session) => {
    const parts = [
      ...(await keysOfBothEnvironments(session, leads.endpoint)).map((key) => ({ key, judge: judgeLeads })),
      ...(await keysOfBothEnvironments(session, bookings.endpoint)).map((key) => ({ key, judge: judgeBookings })),
    ];
    return judgeInTurn(parts, (tally, { key, judge }) => judge(session, tally, key));
  },

  'developer.filters.unknown-value': async (session) => {
    const rows = await Promise.all(
      Object.values(vocabularies).map(
        async (filter) => [`${filter.list.endpoint}?${filter.parameter}`, await unknownValue(session, filter)] as const,
      ),
    );
    return observed(Object.fromEntries(rows));
  },
};

/** What a value outside the vocabulary yields, in words. */
async function unknownValue(session: Session, { list: { endpoint, noun }, parameter }: Filter): Promise<string> {
  const [key] = await keysOfBothEnvironments(session, endpoint);
  const all = listIn(await read(session, endpoint, { key }), noun)?.rows.length;
  const query = { [parameter]: 'no-such-value' };
  const answer = await send(session, endpoint, { key, query, purpose: 'off-document' });
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

import { observed } from '../../results/outcome.ts';
import type { Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/expect.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { read } from '../shared/reads.ts';
import type { Filter } from './support/filtered.ts';
import { listIn } from './support/rows.ts';

/** The filters that take a vocabulary. */
const vocabularies: readonly Filter[] = [
  { endpoint: 'GET /api/v1/ads/campaigns', name: 'status', noun: 'campaign' },
  { endpoint: 'GET /api/v1/developer/export/bookings', name: 'status', noun: 'booking' },
  { endpoint: 'GET /api/v1/developer/export/leads', name: 'status', noun: 'lead' },
  { endpoint: 'GET /api/v1/developer/export/leads', name: 'source', noun: 'lead' },
  { endpoint: 'GET /api/v1/content/posts', name: 'status', noun: 'post' },
];

/** Filters: what the documents leave open. */
export const filters: Checks = {
  'developer.filters.unknown-value': async (session) => {
    const rows = await Promise.all(
      vocabularies.map(
        async (filter) => [`${filter.endpoint}?${filter.name}`, await unknownValue(session, filter)] as const,
      ),
    );
    return observed(Object.fromEntries(rows));
  },
};

async function unknownValue(session: Session, { endpoint, name, noun }: Filter): Promise<string> {
  // Read first: that seeds the sandbox.
  const all = listIn(await read(session, endpoint), noun)?.rows.length;
  const answer = await send(session, endpoint, { query: { [name]: 'no-such-value' }, purpose: 'off-document' });
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

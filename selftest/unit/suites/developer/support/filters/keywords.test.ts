import { expect, test } from 'vitest';
import { keywordListsIn, keywords } from '../../../../../../suites/developer/support/filters/keywords.ts';
import { handlerTransport } from '../../../../../../suites/session/transport/handler-transport.ts';
import { read } from '../../../../../../suites/shared/reads.ts';
import { testSession } from '../../../../test-session.ts';

const rows = [
  { id: 'kw_1', campaign_id: 'cmp_1' },
  { id: 'kw_2', campaign_id: 'cmp_2' },
];
const campaigns = [{ id: 'cmp_1' }, { id: 'cmp_2' }];

test.for<[string, unknown, readonly string[]]>([
  ['a list of the name', { keywords: rows, campaigns }, ['/keywords']],
  ['an empty list of the name', { keywords: [], campaigns }, ['/keywords']],
  ['a list of a general name', { items: rows, campaigns }, ['/items']],
  ['lists of any name, since each may hold them', { feed: { entry: rows }, campaigns }, ['/campaigns', '/feed/entry']],
  ['no list, where an empty one may hold them', { feed: { entry: [] }, campaigns }, []],
  ['no list beside an empty map', { keywords: {}, campaigns }, []],
])('the keywords of an answer are in %s', async ([, data, pointers]) => {
  const transport = handlerTransport(async () => Response.json({ data, error: null, meta: {} }));
  const session = testSession('developer', { transport });
  const lists = keywordListsIn(await read(session, keywords));
  expect(lists.map(({ pointer }) => pointer)).toEqual(pointers);
});

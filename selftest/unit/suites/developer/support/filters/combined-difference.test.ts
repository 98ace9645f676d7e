import { expect, test } from 'vitest';
import { findingOnPair } from '../../../../../../suites/developer/support/filters/combined-difference.ts';
import { readList, vocabularies } from '../../../../../../suites/developer/support/filters/filter-lists.ts';
import { mainKey } from '../../../../../../suites/session/keys.ts';
import { testSession } from '../../../../test-session.ts';

interface Lead {
  readonly id: string;
  status: string;
  readonly source: string;
}

const leads = (): [Lead, Lead, Lead, Lead] => [
  { id: 'lead_1', status: 'new', source: 'paid' },
  { id: 'lead_2', status: 'new', source: 'organic' },
  { id: 'lead_3', status: 'booked', source: 'paid' },
  { id: 'lead_4', status: 'booked', source: 'organic' },
];

/** Judges status=new and source=paid at once. `beforeBoth` changes leads between the lists alone and that of both. */
async function judged(reads: readonly string[], beforeBoth: (all: ReturnType<typeof leads>) => void) {
  const all = leads();
  const session = testSession('developer', {
    transport: async ({ url }) => {
      const { searchParams } = new URL(url);
      const isBoth = searchParams.has('status') && searchParams.has('source');
      const names = ['status', 'source'].filter((name) => searchParams.has(name) && (!isBoth || reads.includes(name)));
      const rows = all.filter((lead) => names.every((name) => lead[name as 'status'] === searchParams.get(name)));
      const body = Buffer.from(JSON.stringify({ success: true, data: { leads: rows }, context: null, error: null }));
      return { status: 200, headers: [['Content-Type', 'application/json']], body };
    },
  });
  const filter = vocabularies.leads;
  const reader = { key: mainKey(session), isFresh: true };
  const read = (query: Readonly<Record<string, string>>) => readList(session, filter, { ...reader, query });
  const alone = async (query: Readonly<Record<string, string>>) => ({ query, list: await read(query), clause: '' });
  const pair = {
    filter,
    unfiltered: await read({}),
    one: await alone({ status: 'new' }),
    other: await alone({ source: 'paid' }),
  };
  beforeBoth(all);
  return findingOnPair(session, reader, pair, await read({ ...pair.one.query, ...pair.other.query }));
}

const bothRead = ['status', 'source'];

test('two filters at once hold, also where a record got another status meanwhile', async () => {
  expect(await judged(bothRead, () => {})).toBeNull();
  expect(await judged(bothRead, ([first]) => (first.status = 'booked'))).toBeNull();
  expect(await judged(bothRead, ([, , third]) => (third.status = 'new'))).toBeNull();
});

test('a filter that is dropped beside the other fails, also where a record got another status meanwhile', async () => {
  const message =
    /^Filters status and source together returned 2 leads instead of the 1 that match both: 1 too many, 0 missing/;
  expect((await judged(['status'], () => {}))?.message).toMatch(message);
  expect((await judged(['source'], () => {}))?.message).toMatch(message);
  expect((await judged(['status'], ([first]) => (first.status = 'booked')))?.actual).toContain('lead_2');
});

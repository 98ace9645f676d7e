import { expect, test } from 'vitest';
import { resultOrNull } from '../../suites/engine/check.ts';
import { deleteRecord } from '../../suites/records/own.ts';
import { cleanUpAll } from '../../suites/records/sweep.ts';
import { isNightly } from '../nightly.ts';
import { type Form, type Kept, type Looks, open, withoutId } from '../unit/suites/records/kept-records.ts';

const collections = ['/v1/agents', '/v1/bookings', '/v1/webhooks', '/api/v1/developer/keys'] as const;

const joined = (rows: readonly Kept[], words: string): readonly object[] =>
  rows.map(({ id, name }) => ({ id, name: `${name} ${words}` }));
const swapped = (rows: readonly Kept[]): readonly object[] =>
  rows.map(({ name }, place) => ({ name, id: rows[(place + 1) % rows.length]?.id }));
const echo = (found: Kept | undefined, words: string): object => ({ ...found, name: words });
const asFirst = ({ name }: Kept, others: readonly Kept[]): object => ({ id: others[0]?.id, name });
const asLast = ({ name }: Kept, others: readonly Kept[]): object => ({ id: others.at(-1)?.id, name });
const toFirst = (_: Kept, others: readonly Kept[], path: string): string => `${path}/${others[0]?.id}`;
const isHiddenAtFirst = true;
const at = '2031-03-03T09:00:00Z';
/** The answer to all creates but the first shows the newest record, which is that of another. */
const racing =
  (shows: (made: Kept, newest: Kept | undefined) => object) =>
  (made: Kept, others: readonly Kept[]): object =>
    made.name.endsWith('01') ? made : shows(made, others.at(-1));
/** A log in a record of others has the words of whatever was made last. */
const logging = (found: Kept | undefined, words: string): object | undefined => found && { ...found, log: [words] };

const tricks: Readonly<Record<string, Looks>> = {
  'ids are swapped between rows': { listed: swapped },
  'creates answer the id of another': { created: asFirst },
  'creates answer the id of another that was not listed before': { created: asLast, isHiddenAtFirst },
  "the list joins the run's words onto the rows of others": { listed: joined },
  'the list does, and creates answer the id of another': { listed: joined, created: asLast },
  'the list does, creates answer the id of another, and none was listed before': {
    listed: joined,
    created: asFirst,
    isHiddenAtFirst,
  },
  "reads show the run's words for any id": { viewed: echo },
  'reads do, and creates answer the id of another': { viewed: echo, created: asFirst },
  'reads show the latest record for the id of any, and creates answer the id of another': {
    viewed: (found, words) => found && { id: 'Xk99IlsJq3C28e70hxqlatestTz', name: words },
    created: asFirst,
    isHiddenAtFirst,
  },
  'reads do, the list joins words, creates answer the id of another, and none was listed before': {
    viewed: echo,
    listed: joined,
    created: asFirst,
    isHiddenAtFirst,
  },
  'reads do, ids are swapped, and none was listed before': { viewed: echo, listed: swapped, isHiddenAtFirst },
  'a part of the record has the id of another': {
    created: ({ name }, others) => ({ name, item: { id: others[0]?.id } }),
    listed: (rows) => rows.map(({ name, isOwn }) => ({ name, item: isOwn ? { id: rows[0]?.id } : null })),
    isHiddenAtFirst,
  },
  'a part has it, and the words of the record': {
    created: ({ name }, others) => ({ name, owner: { id: others[0]?.id, note: name } }),
    listed: (rows) => rows.map(({ name, isOwn }) => ({ name, owner: isOwn ? { id: rows[0]?.id, note: name } : null })),
    isHiddenAtFirst,
  },
  'creates answer the newest record, which is that of another': {
    created: racing((_, newest) => ({ ...newest })),
    isCrowded: true,
  },
  'creates answer its id, and what was sent': {
    created: racing(({ name }, newest) => ({ id: newest?.id, name })),
    isCrowded: true,
    isCounted: true,
  },
  'creates answer the record that somebody has, and reads have a log': {
    created: (_, others) => ({ ...others[0] }),
    viewed: logging,
    isHiddenAtFirst,
  },
  'creates answer its id, and reads of others show the latest record in them': {
    created: asFirst,
    viewed: (found, words) => found && { ...found, latest: { name: words } },
    isHiddenAtFirst,
  },
  'creates answer its id, and reads and rows of others have a log': {
    created: asFirst,
    viewed: logging,
    listed: (rows, words) =>
      rows.flatMap((row, at) => (row.isOwn ? [] : [{ ...row, log: at === 0 ? `made ${words}` : null }])),
    isHiddenAtFirst,
  },
  'answers to creates are lost, and reads and rows of others have a log': {
    status: 504,
    viewed: logging,
    listed: (rows, words) => rows.flatMap((row, at) => (row.isOwn ? [] : [{ ...row, log: at === 0 ? words : null }])),
    isHiddenAtFirst,
  },
  'creates answer the number of a job, which another has for its id and the record for something else': {
    created: (_, others) => ({ id: others[0]?.id, status: 'queued' }),
    listed: ([first, ...rows]) => rows.map(({ isOwn, ...row }) => ({ ...row, lead_id: isOwn ? first?.id : null })),
    isHiddenAtFirst,
    isCounted: true,
  },
  'creates answer the id of another that was not listed before, and the time that was sent': {
    created: (_, others) => ({ id: others[0]?.id, at }),
    listed: (rows) => rows.map(({ id, isOwn }) => ({ id, at: isOwn ? at : '2031-03-04T09:00:00Z' })),
    isHiddenAtFirst,
  },
  'ids are cast to numbers, as MySQL does, and the uuid beside them begins with the number of another': {
    shown: ({ id, name }) => ({ id: Number(id), uuid: `4821c0de-9b1d-4e3a-8f2c-${id}5d7b03af`, name }),
    cast: (id) => String(Number.parseInt(id, 10)),
    isCounted: true,
  },
  'links point to another': {
    created: (made, others, path) => {
      const url = toFirst(made, others, path);
      return { id: made.id, name: made.name, url, _links: { self: { href: url } } };
    },
    listed: (rows, _, path) => rows.map(({ id, name }) => ({ id, name, uri: `${path}/${rows[0]?.id}` })),
    isHiddenAtFirst,
  },
  'Location leads to another': { location: toFirst, isHiddenAtFirst },
  'Location does, and rows show it': {
    location: toFirst,
    listed: (rows) =>
      rows.map(({ id, name, isOwn }) => ({ id, name, previous: isOwn ? rows.find((row) => !row.isOwn)?.id : null })),
    isHiddenAtFirst,
  },
  'creates answer no id, and ids are swapped': { created: withoutId, listed: swapped },
  'creates answer no id, and the list joins words': { created: withoutId, listed: joined },
  'answers to creates are lost, and ids are swapped': { status: 504, listed: swapped },
  'answers to creates are lost, and the list joins words': { status: 504, listed: joined },
  'creates are refused, and the list joins words': { status: 422, listed: joined },
  'creates are refused, a row of others shows the words alone, and none was listed before': {
    status: 422,
    listed: (rows, words) => rows.slice(0, 1).map(({ id }) => ({ id, name: words })),
    isHiddenAtFirst,
  },
  'creates are refused, ids are swapped': { status: 422, listed: swapped },
  'others get the ids of what was deleted': { deletedAs: 200 },
  'others get them, and deletions say that they failed': { deletedAs: 500 },
  'others get them, and deletions say that nothing was there': { deletedAs: 404 },
};

/**
 * Each on all collections, by night, and on two of them in the selftest, with either form of ids on half of them: of random
 * ones nobody gets that of another.
 */
const cases = Object.entries({ nothing: {} as Looks, ...tricks }).flatMap(([name, looks], at) => {
  const inTurn = collections.map((_, place) => collections[(at + place) % collections.length] ?? '');
  return inTurn.slice(0, isNightly || name === 'nothing' ? 4 : 2).map((collection, place) => {
    const form: Form = looks.isCounted || looks.deletedAs !== undefined || place % 2 === 0 ? 'counted' : 'random';
    return [name, collection, form, looks] as const;
  });
});

test.for(cases)(
  'records of others stay as they are, where what misleads is: %s (%s, %s ids)',
  async ([name, ...row]) => {
    const [collection, form, looks] = row;
    const { session, create, harm, rows } = open(collection, form, looks);
    const made = [];
    for (let count = 0; count < 3; count += 1) {
      made.push(await resultOrNull(create((tag) => ({ name: tag, at }))));
    }
    for (const record of made.slice(0, 2)) {
      if (record?.id !== undefined) {
        await resultOrNull(deleteRecord(session, { ...record, id: record.id }));
      }
    }
    await cleanUpAll(session);
    expect(harm).toEqual([]);
    // An honest deployment is left without the records of the run.
    expect(name === 'nothing' ? rows.filter(({ isOwn }) => isOwn) : []).toEqual([]);
  },
);

test('what a refused create made all the same is deleted: its list row shows what was sent', async () => {
  const { session, create, rows } = open('/v1/agents', 'random', { status: 422 });
  await resultOrNull(create((tag) => ({ name: `Receptionist ${tag}` })));
  await cleanUpAll(session);
  expect(rows.filter(({ isOwn }) => isOwn)).toEqual([]);
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../common/json.ts';
import { idsInAnswer } from '../../../../suites/records/ids/answer-ids.ts';
import { placeOfRow, textsWithWords } from '../../../../suites/records/ids/own-row.ts';
import { fakeAnswer } from '../fake-answer.ts';

const tag = 'run7-01';
const [own, copy, theirs] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY', 'Zz9Yy8Xx7Ww6Vv5Uu4Tt'];
const others = { id: theirs, name: 'Main', account_id: 'acc_1' };

/** The id of the row that is found on a page. */
function found(
  created: JsonObject,
  rows: readonly JsonObject[],
  { earlier = [], isAllRead = true }: { earlier?: readonly JsonObject[]; isAllRead?: boolean } = {},
): unknown {
  const answer = fakeAnswer({ status: 201, json: created }, 'POST /v1/bookings');
  const maker = {
    secret: 'wk_Zx81mQpL0vT4rB9nKc27',
    label: 'a key',
    environment: 'workspace',
    origin: 'given',
  } as const;
  const fingerprint = { references: [], times: [] };
  const record = { collection: '/v1/bookings', tag, maker, body: { name: tag }, answer, fingerprint };
  return rows[placeOfRow(rows, record, { shown: idsInAnswer(record), earlier, isAllRead })]?.id;
}

test.for<[string, JsonObject, readonly JsonObject[], string | undefined]>([
  ['the row with the words', { id: own }, [others, { id: own, name: tag }], own],
  ['the row with the words, whose id the answer does not show', { id: theirs }, [others, { id: own, name: tag }], own],
  [
    'the row with the id, and not a copy of it',
    { id: own, name: tag },
    [
      { id: copy, name: `${tag} (copy)` },
      { id: own, name: tag },
    ],
    own,
  ],
  [
    'the row with the id and other words, and not a copy with the words',
    { id: own, name: 'run7_01' },
    [
      { id: copy, name: `${tag} (copy)` },
      { id: own, name: 'run7_01' },
    ],
    own,
  ],
  [
    'the row with the words as they were sent, beside the id of a copy of it',
    { status: 'made' },
    [
      { id: copy, name: `${tag} (copy)` },
      { id: own, name: tag },
    ],
    own,
  ],
  [
    'the row with the words, and not that of what the answer embeds',
    { made_by: { id: theirs, name: 'Main', plan: 'pro', city: 'Oslo' }, made: { number: own, name: tag } },
    [
      { id: theirs, name: 'Main', plan: 'pro', city: 'Oslo' },
      { id: own, name: tag },
    ],
    own,
  ],
  [
    'the row that shows how the text with the words begins',
    { key: 7, url: `https://example.com/${tag}` },
    [
      { id: theirs, url: 'https://example.com/run8…' },
      { id: own, url: 'https://example.com/run7-0***' },
    ],
    own,
  ],
  [
    'no row, if several show the same beginning',
    { key: 7, url: `https://example.com/${tag}` },
    [
      { id: theirs, url: 'https://example.com/run7…' },
      { id: own, url: 'https://example.com/run7…' },
    ],
    undefined,
  ],
  [
    'no row, if what it shows is how all URLs begin',
    { key: 7, url: `https://example.com/${tag}` },
    [{ id: theirs, url: 'https://example.com/…' }],
    undefined,
  ],
  [
    'no row, if a copy alone shows the words',
    { id: own, name: 'run7_01' },
    [{ id: copy, name: `${tag} (copy)` }],
    undefined,
  ],
  [
    'the row that shows how the secret begins, though it shows no words',
    { account_id: 'acc_1', key: `svc_test_${own}` },
    [
      { id: theirs, name: 'Main', hint: 'svc_test_Zz9Y' },
      { id: own, name: 'run7_01', hint: 'svc_test_Xk6I' },
    ],
    own,
  ],
  [
    'no row, if it shows only how all secrets begin',
    { account_id: 'acc_1', key: `svc_test_${own}` },
    [{ id: theirs, name: 'Main', hint: 'svc_test' }],
    undefined,
  ],
  ['no row, if the id alone is found', { id: theirs }, [others], undefined],
  [
    'the row with the words, not one with the same account',
    { account_id: 'acc_1' },
    [others, { id: own, name: `team/${tag}`, account_id: 'acc_1' }],
    own,
  ],
])('%s', ([, created, rows, id]) => {
  expect(found(created, rows)).toBe(id);
});

test('the words with an addition, beside no id of the answer, will do only where no other page may have the row', () => {
  const rows = [others, { id: copy, name: `${tag} (copy)`, account_id: 'acc_1' }];
  expect(found({ account_id: 'acc_1' }, rows, { isAllRead: true })).toBe(copy);
  expect(found({ account_id: 'acc_1' }, rows, { isAllRead: false })).toBe(undefined);
});

const copied = { id: copy, name: `${tag} (copy)`, account_id: 'acc_1', environment: 'sandbox' };

test('what rows of others showed before, such as the id of the account, tells no copy as the record', () => {
  const created = { account_id: 'acc_1', environment: 'sandbox' };
  const earlier = [{ ...others, environment: 'sandbox' }];
  expect(found(created, [copied], { earlier, isAllRead: false })).toBe(undefined);
});

test('the row with the words in another spelling is the record, and not a copy on another page', () => {
  const rows = [others, { ...copied, id: own, name: 'run7_01' }, copied];
  expect(found({ account_id: 'acc_1' }, rows)).toBe(own);
  expect(found({ account_id: 'acc_1' }, rows.slice(0, 2), { isAllRead: false })).toBe(own);
});

test('of two rows with the words in addition to something, neither is the record for certain', () => {
  expect(found({ account_id: 'acc_1' }, [{ ...copied, id: own, name: `team/${tag}` }, copied])).toBe(undefined);
});

test('the texts with the words of a record are those that were sent and answered, in whatever spelling', () => {
  const body = { name: 'run7-01-first', note: 'first' };
  const answered = { name: 'RUN7_01_first', label: 'run7-01', parent: 'run7-01-first-2', other: 'run7_010_first' };
  const answer = fakeAnswer({ status: 201, json: answered }, 'POST /v1/bookings');
  expect(textsWithWords({ tag, body, answer })).toEqual([
    'run7-01-first',
    'RUN7_01_first',
    'run7-01',
    'run7-01-first-2',
  ]);
});

import { expect, test } from 'vitest';
import { plainForm } from '../../../common/plain-form.ts';

test.for<[string, unknown, unknown]>([
  ['a text that is an object', { payload: '{"id": 7}' }, { payload: { id: 7 } }],
  ['a text that is a list, with another in it', '[{"a": "[2]"}]', [{ a: [2] }]],
  [
    'names and values',
    [
      { name: 'id', value: 7 },
      { key: 'on', value: null },
    ],
    { id: 7, on: null },
  ],
  ['one name and value', { fields: [{ name: 'uri', value: '/agents/7' }] }, { fields: { uri: '/agents/7' } }],
  ['a name whose value is left out', [{ name: 'id', value: 7 }, { name: 'title' }], { id: 7, title: null }],
  [
    'names, values and labels within a list',
    {
      items: [
        {
          data: [
            { name: 'id', value: 'a', prompt: 'Id' },
            { name: 'to', value: 'b' },
          ],
        },
      ],
    },
    { items: [{ data: { id: 'a', to: 'b' } }] },
  ],
])('%s', ([, json, expected]) => {
  expect(plainForm(json)).toEqual(expected);
});

test.for<[string, unknown]>([
  ['a text', 'note'],
  ['a text in brackets', { title: '[Cancelled] Intro', note: '{sic}' }],
  ['one name and value beside something else', [{ name: 'history', value: [], id: 7 }]],
  ['names without values', [{ name: 'history' }, { name: 'notes' }]],
  [
    'a name that occurs twice',
    [
      { name: 'to', value: 1 },
      { name: 'to', value: 2 },
    ],
  ],
  [
    'records with a name and a value',
    [
      { id: 1, name: 'a', value: 2, state: 'won' },
      { id: 2, name: 'b', value: 3, state: 'lost' },
    ],
  ],
  ['a document that is too large', { payload: `[${'[],'.repeat(300_000)}1]` }],
])('%s stays the same', ([, json]) => {
  expect(plainForm(json)).toBe(json);
});

import { describe, expect, test } from 'vitest';
import type { Candidate, Evidence, Step } from '../../../../suites/records/ids/evidence.ts';
import { decide, rules } from '../../../../suites/records/ids/rules.ts';

/** A candidate that the answer to the create and the row both call the record's id, unless the case says otherwise. */
const id = (text: string, facts: Partial<Candidate> = {}): Candidate => ({
  id: text,
  standing: 'named',
  isInAnswer: true,
  isInRow: true,
  isGiven: false,
  isShared: false,
  isStrangers: false,
  isEarlier: false,
  isSecret: false,
  isBeginning: false,
  read: null,
  ...facts,
});

/** A booking or webhook, whose row was found on the first page of several, unless the case says otherwise. */
const evidence = (candidates: readonly Candidate[], facts: Partial<Evidence> = {}): Evidence => ({
  reading: 'none',
  open: new Set(),
  candidates,
  isAnswerClear: true,
  hasRow: true,
  isListWhole: false,
  ...facts,
});

const all: ReadonlySet<Step> = new Set(['reads', 'list', 'all pages']);
const afterList: ReadonlySet<Step> = new Set(['reads', 'all pages']);
const [random, other] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY'];
const new_ = { hasRow: false, open: all };

type Case = readonly [says: string, evidence: Evidence, rule: string, decision: readonly string[] | Step];

const cases: readonly Case[] = [
  [
    'the first read of an agent',
    evidence([id('17', { isInRow: false }), id(random, { isInRow: false })], { ...new_, reading: 'shows the record' }),
    'read by all ids of the answer',
    'reads',
  ],
  [
    'a booking whose create answers with one number alone, while its row has another one, too',
    evidence([id('7724', { standing: 'alone' }), id('15', { isInAnswer: false })]),
    'the answer is nothing else',
    ['7724'],
  ],
  [
    'an agent that a read by its second id shows',
    evidence([id('17', { read: 'nothing' }), id(random, { read: 'the record' })], { reading: 'shows the record' }),
    'a read shows the record',
    [random],
  ],
  [
    'an agent that no read finds',
    evidence([id('17', { isInRow: false, read: 'nothing' })], { ...new_, reading: 'shows the record' }),
    'look for the row',
    'list',
  ],
  [
    'an agent whose row has two ids that its answer does not show',
    evidence([id('17', { isInAnswer: false }), id(random, { isInAnswer: false })], {
      reading: 'shows the record',
      open: afterList,
    }),
    'read by all ids of the row',
    'reads',
  ],
  [
    'a new key, of whose list nothing was read',
    evidence([id('7', { isInRow: false })], { ...new_, reading: 'takes the id' }),
    'look for the row',
    'list',
  ],
  [
    'a new key without a row, beside whose id the answer shows a reference',
    evidence([id('7', { isInRow: false }), id('ref', { isInRow: false, standing: 'possible' })], {
      ...new_,
      reading: 'takes the id',
      open: afterList,
    }),
    'try the only id of the answer',
    'reads',
  ],
  [
    'a second key, whose id stands where the first key had its own',
    evidence([id('41', { standing: 'taught', isInRow: false }), id(random)], { reading: 'takes the id' }),
    'it stands where the first record had its id',
    ['41'],
  ],
  [
    'a key whose usage can be read by one of two values',
    evidence([id('41', { read: 'something' }), id(random, { read: 'nothing' })], { reading: 'takes the id' }),
    'a call takes one value alone',
    ['41'],
  ],
  ['a new booking', evidence([id('7', { isInRow: false })], new_), 'look for the row', 'list'],
  [
    'a key with an id that usage refuses, and two values that it takes',
    evidence(
      [
        id(other, { read: 'nothing' }),
        id(random, { standing: 'possible', read: 'something' }),
        id('507', { standing: 'possible', read: 'something' }),
      ],
      { reading: 'takes the id' },
    ),
    'it can name no other record',
    [random],
  ],
  [
    'a booking whose answer shows the id of another row',
    evidence([id('7', { isInRow: false, isShared: true }), id('8', { isInAnswer: false })]),
    'another row has the id of the answer',
    [],
  ],
  [
    'a booking whose answer shows the id of another row, which was listed before',
    evidence([id('7', { isInRow: false, isShared: true, isEarlier: true }), id('8', { isInAnswer: false })]),
    'the row has another id than the answer',
    ['8'],
  ],
  [
    'a booking whose answer shows an id of the same form that no row has',
    evidence([id('BK-2026-1001', { isInRow: false }), id('BK-2026-1002', { isInAnswer: false })]),
    'the row has another id than the answer',
    ['BK-2026-1002'],
  ],
  [
    'a booking whose answer shows a short word that no row has, and whose row shows one that is a number by accident',
    evidence([id('yroy', { isInRow: false }), id('1170', { isInAnswer: false })]),
    'the row has another id than the answer',
    ['1170'],
  ],
  [
    'a webhook whose answer shows a long number, and whose row, among all rows, shows a short one instead',
    evidence([id('7245987123456000319', { isInRow: false }), id('13619', { isInAnswer: false })], {
      isListWhole: true,
    }),
    'it can name no other record',
    ['7245987123456000319', '13619'],
  ],
  [
    'a booking that Location names, beside the number of a row',
    evidence([id('7', { standing: 'located' }), id('900')]),
    'Location leads to it',
    ['7'],
  ],
  [
    'a booking with two numbers',
    evidence([id('7'), id('900')], { open: new Set(['all pages']) }),
    'read all pages',
    'all pages',
  ],
  [
    'a booking with two numbers, of which no other row has the second',
    evidence([id('7', { isStrangers: true }), id('900')], { isListWhole: true }),
    'it can name no other record',
    ['900'],
  ],
  [
    'a booking with two numbers, in a part of the list',
    evidence([id('7'), id('900')]),
    'it can name no other record',
    [],
  ],
  ['a booking with one number', evidence([id('7')]), 'it can name no other record', ['7']],
  [
    'a booking with one number and a word that nobody can guess',
    evidence([id('7'), id(random)]),
    'it can name no other record',
    [random],
  ],
  [
    'a booking with a number and a short word that it calls its id, too, in a part of the list',
    evidence([id('7'), id('r6J_-ew8')]),
    'it can name no other record',
    [],
  ],
  [
    'a booking with a number that it calls its id, and a short reference',
    evidence([id('7'), id('r6J_-ew8', { standing: 'possible' })]),
    'it can name no other record',
    ['7'],
  ],
  ['a booking that nothing shows an id of', evidence([]), 'it can name no other record', []],
];

describe('of an id that is sought', () => {
  test.for(cases)('%s', ([, known, rule, decision]) => {
    const expected = typeof decision === 'string' ? { ask: decision } : { ids: decision };
    expect(decide(known)).toMatchObject({ rule, ...expected });
  });

  test('each rule decides a case', () => {
    expect([...new Set(cases.map(([, , rule]) => rule))].sort()).toEqual(rules.map(({ name }) => name).sort());
  });
});

describe('what is surely something else is not used, although it is the only candidate', () => {
  test.for<[string, Partial<Candidate>, Partial<Evidence>?]>([
    ['what a read shows to be another record', { read: 'another record', isInRow: false }],
    ['what the body gave', { isGiven: true }],
    ['what another row has in the same place', { isShared: true }],
    ['a secret', { isSecret: true, standing: 'possible' }],
    ['how a key begins, which no call reads', { isBeginning: true, standing: 'text' }],
    ['how a key begins, which a read does not take', { isBeginning: true, standing: 'text', read: 'nothing' }],
    ['what an unclear answer shows, and no row', { isInRow: false }, { isAnswerClear: false, hasRow: false }],
    ['a text of the row, beside another id in the answer', { standing: 'text', isInAnswer: false }],
  ])('%s', ([, facts, known]) => {
    const beside = facts.standing === 'text' ? [id('900', { standing: 'possible', isStrangers: true })] : [];
    expect(decide(evidence([id('7', facts), ...beside], known))).not.toMatchObject({ ids: ['7'] });
  });
});

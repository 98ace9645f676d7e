import { gzipSync } from 'node:zlib';
import { at, canonical, findId, findLists, findMainList, hasValue, isObject, walk } from '../../../common/json.ts';
import { differences } from '../../../common/schema.ts';
import { headerOf } from '../../../results/exchange.ts';
import { createTally } from '../../../results/outcome.ts';
import { instantOf } from '../../../suites/developer/envelope.ts';
import { countedBetween } from '../../../suites/developer/support/counted.ts';
import { codeTrouble, errorShape } from '../../../suites/developer/support/error-object.ts';
import { headerFormats } from '../../../suites/developer/support/header-formats.ts';
import { findSecret } from '../../../suites/developer/support/own-key.ts';
import { identity, sharedRows } from '../../../suites/developer/support/rows.ts';
import { fallOf, sharingOf } from '../../../suites/developer/support/sharing.ts';
import { judgeAll } from '../../../suites/engine/every-response.ts';
import { expectAccepted, expectSchema, expectStatus, findingOn } from '../../../suites/engine/expect.ts';
import type { Answer } from '../../../suites/session/answer.ts';
import type { Answered } from '../../../suites/session/evidence.ts';
import { idIn, isRecord, mentions, recordIn, standsIn } from '../../../suites/session/record.ts';
import type { Session } from '../../../suites/session/session.ts';
import { complaintOf } from '../../../suites/workspace/support/complaint.ts';
import { eventOf, payloadOf, shapeOf, tellsOf, textOf } from '../../../suites/workspace/support/payload.ts';
import { secretsIn } from '../../../suites/workspace/support/secrets.ts';
import type { Delivery } from '../../../webhooks/signature/delivery.ts';
import { answers, deep, long } from './answers.ts';
import {
  deliveries,
  documents,
  errorsSeen,
  eventNames,
  forbiddens,
  type HeaderRun,
  headerRuns,
  instants,
  refusals,
  refusalTexts,
  remainders,
  wordings,
} from './samples.ts';
import { workspaceReadings } from './workspace-readings.ts';

// What the suites read out of answers, bodies and texts whose form no document fixes: samples and what they are taken for.

const answered = (json: unknown, status = 404): Answered =>
  ({ response: { status, json, text: JSON.stringify(json), headers: [] } }) as unknown as Answered;
const answer = (json: unknown, text = ''): Answer =>
  ({ status: 400, json, text, header: () => null, exchange: answered(json) }) as unknown as Answer;
const delivery = ({ headers, body }: (typeof deliveries)[number]): Delivery =>
  ({ headers, body: Buffer.from(body) }) as unknown as Delivery;
const packed: Delivery = {
  headers: [['Content-Encoding', 'gzip']],
  body: gzipSync('{"type":"booking.created"}'),
} as unknown as Delivery;
const complaint = (refused: Answer): unknown => {
  const { allowed, ...rest } = complaintOf(refused);
  return { ...rest, allowed: [...allowed] };
};
const limited = (status: number, remaining: string | null): Answer => {
  const json = { success: status === 200 };
  return {
    status,
    json,
    accepted: json.success,
    header: () => remaining,
    exchange: { api: 'developer', response: { status, json } },
  } as unknown as Answer;
};
const headerRun = (run: HeaderRun): Session =>
  ({
    settings: { CLOCK_SPEED: 1 },
    evidence: {
      exchanges: run.map(([keyLabel, at, ...texts], i) => ({
        number: i,
        keyLabel,
        keyValid: keyLabel !== 'unknown',
        request: { method: 'GET' },
        sentAt: at,
        receivedAt: at + 5,
        response: {
          status: 200,
          headers: texts.flatMap((text, place) =>
            text === null ? [] : [[['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'][place], text]],
          ),
        },
      })),
    },
  }) as unknown as Session;
const attempted = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
};
const each =
  <T>(samples: readonly T[], read: (sample: T) => unknown) =>
  (): unknown[] =>
    samples.map(read);
const nouns = ['agent', 'lead', 'booking', 'webhook'] as const;
const schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: ['string', 'null'] }, n: { type: 'integer', minimum: 3 } },
} as const;
const many = { type: 'object', required: Array.from({ length: 25 }, (_, i) => `field${i}`) } as const;
/** Fields that are there but undefined show too. */
const fieldsOf = (finding: object | null): unknown => finding && Object.entries(finding);
const rows = documents.filter(isObject);

/** Each reading of all its samples. */
export const readings: Readonly<Record<string, () => unknown>> = {
  ...workspaceReadings,
  'how far Remaining fell': each(remainders, ([before, after]) => fallOf(limited(...before), limited(...after))),
  'whether a refused scope counts': each(forbiddens, ([before, after]) =>
    countedBetween(limited(...before), limited(...after)),
  ),
  'whose budget it is': each([null, -2, 0, 1, 2, 3, 4, 9], (fall) => sharingOf(fall, 3)),
  'the headers of limits': each(headerRuns, (run) => attempted(() => headerFormats(headerRun(run)))),
  'an instant': each(instants, instantOf),
  'the shape of errors': () => errorShape(documents.map((json, i) => answered(json, [401, 404, 403][i % 3]))),
  'the shape of some errors': () => [
    errorShape([]),
    errorShape(errorsSeen.map(([status, error]) => answered({ error }, status))),
  ],
  'the code of a refusal': each(documents, (json) =>
    [401, 404].map((status) => codeTrouble(answered(json, status).response) === null),
  ),
  'the secret of a key': each(documents, findSecret),
  'secrets of a webhook': each(
    [
      ...documents,
      { signingkey: 'a-secret-1', sharedkey: 'a-secret-2', hmackey: 'a-secret-3', verificationtoken: 'a-secret-4' },
      { secrets: [...'abcdefgh'] },
    ],
    secretsIn,
  ),
  'what tells a row': each(rows, identity),
  'rows that two lists share': () => [
    sharedRows(
      [
        { a: 1, b: 2, c: 3 },
        { a: 1, b: 2 },
        { a: 9, b: 9, c: 9 },
      ],
      [
        { c: 3, b: 2, a: 1 },
        { a: 1, b: 2 },
        { a: 9, b: 9, c: 8 },
      ],
    ),
  ],
  'differences from a schema': each(
    [{ id: 'a', name: null }, { id: 1, name: 'x', n: 2 }, { name: 2, n: 1.5 }, null, [], { id: 'x'.repeat(200) }],
    (value) => differences(schema, value, '/data'),
  ),
  'a place in a document': () =>
    ['', '/data', '/data/id', '/data/items/1/id', '/data/a~1b/~0x/0/id', '/0/id', '/length', '/data/toString'].map(
      (pointer) => documents.map((json) => at(json, pointer) !== undefined),
    ),
  'the same in another order': () => [
    canonical({ b: 1, a: [{ d: 1, c: 2 }] }),
    canonical({ a: [{ c: 2, d: 1 }], b: 1 }),
    canonical([2, 1]),
    canonical(undefined),
    canonical(null),
  ],
  'an id': each(documents, (json) => ['key', 'agent', ''].map((noun) => findId(json, noun))),
  lists: each(documents, (json) => [
    findLists(json),
    findMainList(json, 'agent', 'key')?.pointer,
    findMainList(json)?.pointer,
  ]),
  'whether an id is shown': () =>
    ['12', '7', '42', 'agt_1', '1', 'esc', 'true', 'null', 'agt_12', '12ab'].map((id) =>
      documents.map((json) => hasValue(json, id)),
    ),
  'a record and its id': () => nouns.map((noun) => documents.map((json) => [recordIn(json, noun), idIn(json, noun)])),
  'whether a row is the record': () =>
    rows.map((row) => [
      isRecord(row, 'agent', { id: 'agt_1', tag: 'Ann' }),
      isRecord(row, 'agent', { id: undefined, tag: 'Ann' }),
    ]),
  'words in a text': each(wordings, (text) => [
    standsIn(text, 'run-1'),
    mentions({ a: [text, 1] }, 'run-1'),
    standsIn(text, 'run.1'),
  ]),
  'complaints about a body': () => [
    ...refusals.map((json) => complaint(answer(json))),
    ...refusalTexts.map((text) => complaint(answer(undefined, text))),
  ],
  deliveries: each(deliveries, (one) => [
    payloadOf(delivery(one)),
    eventOf(delivery(one)),
    shapeOf(payloadOf(delivery(one))),
    textOf(delivery(one)),
    [
      ['bkg_12345678', 'run-1'],
      ['bkg_12345678', 'none'],
      ['abcd5678', 'none'],
      ['42', 'run-2'],
      ['x', 'none'],
    ].map(([id = '', tag = '']) => tellsOf(delivery(one), { id, tag })),
  ]),
  'whether a call was accepted': each(answers, (one) => [
    one.accepted,
    ...[expectAccepted(one), expectAccepted(one, 'No', 'See the log')].map(fieldsOf),
  ]),
  'whether a call got a status': each(answers, (one) =>
    [expectStatus(one, 201, 'No'), expectStatus(one, 404, 'No', 'See the log')].map(fieldsOf),
  ),
  'a finding on an exchange': each(answers, (one) =>
    [findingOn(one, { message: 'm' }), findingOn(one, { message: 'm', cause: 'c' })].map(fieldsOf),
  ),
  'findings of a schema': each(answers, (one) => [
    expectSchema(one, schema, '/data'),
    expectSchema(one, many, '/data').length,
  ]),
  'a rule held against all answers': () =>
    [1, 50].map((least) =>
      judgeAll(
        answers.map(({ exchange }) => exchange as Answered).filter(({ response }) => response !== null),
        {
          expected: 'a success',
          place: 'status',
          least,
          trouble: ({ response: { status } }) => (status < 300 ? null : String(status - (status % 100))),
        },
      ),
    ),
  'a tally': () => {
    const [tally, other] = [createTally(), createTally()];
    tally.judge(null, { message: 'a' });
    tally.leaveOpen({ message: 'b' });
    for (const message of ['c', 'c', 'd']) {
      tally.skip({ message });
    }
    for (const message of ['b', 'e']) {
      other.leaveOpen({ message });
    }
    other.judge({ message: 'f' });
    tally.add(other.outcome());
    tally.add({ failures: [], undecided: [{ message: 'g' }], compared: 2 });
    return [tally.outcome(), other.outcome('seen')];
  },
  'values of a document that is deep, and of one that is long': () => [walk(deep).length, walk(long).length],
  'a delivery that is packed': () => [textOf(packed), eventOf(packed)],
  'names of events': each(eventNames, (one) => eventOf(delivery(one))),
  'a header': () => [
    headerOf(
      [
        ['A', '1'],
        ['a', '2'],
      ],
      'a',
    ),
    headerOf([], 'a'),
  ],
};

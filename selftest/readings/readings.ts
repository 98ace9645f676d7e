import { neverIssued } from '../../suites/developer/auth.ts';
import { instantOf } from '../../suites/developer/envelope.ts';
import { errorShape } from '../../suites/developer/error-shape.ts';
import { codeTrouble } from '../../suites/developer/errors.ts';
import { findSecret } from '../../suites/developer/own-keys.ts';
import { identity, sharedRows } from '../../suites/developer/records.ts';
import { unknownIds } from '../../suites/developer/unknown-ids.ts';
import type { Answer } from '../../suites/kit/call.ts';
import type { Answered } from '../../suites/kit/every-response.ts';
import { headerOf } from '../../suites/kit/exchange.ts';
import type { Delivery } from '../../suites/kit/signature/delivery.ts';
import { differences } from '../../suites/kit/schema.ts';
import { at, canonical, findId, findLists, findMainList, hasValue, isObject } from '../../suites/kit/search.ts';
import type { Session } from '../../suites/kit/session.ts';
import { complaintOf } from '../../suites/workspace/complaint.ts';
import { altered, idIn, isRecord, mentions, recordIn, standsIn, unknownLike } from '../../suites/workspace/identity.ts';
import { eventOf, payloadOf, shapeOf, tellsOf } from '../../suites/workspace/payload.ts';
import { secretsIn } from '../../suites/workspace/secrets.ts';
import { workspaceReadings } from './workspace-readings.ts';
import { deliveries, documents, ids, instants, refusals, refusalTexts, wordings } from './samples.ts';

// What the suites read out of answers, bodies and texts whose form no document fixes: samples and what they are taken for.

const answered = (json: unknown, status = 404): Answered => ({ response: { status, json, text: JSON.stringify(json), headers: [] } }) as unknown as Answered;
const answer = (json: unknown, text = ''): Answer => ({ status: 400, json, text, header: () => null, exchange: answered(json) }) as unknown as Answer;
const delivery = ({ headers, body }: (typeof deliveries)[number]): Delivery => ({ headers, body: Buffer.from(body) }) as unknown as Delivery;
const complaint = (refused: Answer): unknown => {
  const { allowed, ...rest } = complaintOf(refused);
  return { ...rest, allowed: [...allowed] };
};
const each = <T>(samples: readonly T[], read: (sample: T) => unknown) => (): unknown[] => samples.map(read);
const kinds = ['agents', 'leads', 'bookings', 'webhooks'] as const;
const schema = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'string' }, name: { type: ['string', 'null'] }, n: { type: 'integer', minimum: 3 } } } as const;
const rows = documents.filter(isObject);

/** Each reading of all its samples. */
export const readings: Readonly<Record<string, () => unknown>> = {
  ...workspaceReadings,
  'a key that was never issued': each(['svc_test_abcdefghijklmnopqrstuvwxyz01234a', 'svc_test_abcdefghijklmnopqrstuvwxyzA', 'svc_test_00000000000000000009', 'svc_live_0000000000000000000000000000005'],
    (secret) => neverIssued({ settings: { SANDBOX_API_KEY: secret }, seed: 3, tag: 'self3' } as unknown as Session).map((key) => key.secret)),
  'an instant': each(instants, instantOf),
  'the shape of errors': () => errorShape(documents.map((json, i) => answered(json, [401, 404, 403][i % 3]))),
  'the code of a refusal': each(documents, (json) => [401, 404].map((status) => codeTrouble(answered(json, status)) === null)),
  'the secret of a key': each(documents, findSecret),
  'secrets of a webhook': each(documents, secretsIn),
  'what tells a row': each(rows, identity),
  'rows that two lists share': () => [sharedRows([{ a: 1, b: 2, c: 3 }, { a: 1, b: 2 }, { a: 9, b: 9, c: 9 }], [{ c: 3, b: 2, a: 1 }, { a: 1, b: 2 }, { a: 9, b: 9, c: 8 }])],
  'ids that nobody has': each(ids, unknownIds),
  'an id like another': each(ids, (id) => [unknownLike(id), altered(id), altered(id, 2)]),
  'differences from a schema': each([{ id: 'a', name: null }, { id: 1, name: 'x', n: 2 }, { name: 2, n: 1.5 }, null, [], { id: 'x'.repeat(200) }], (value) => differences(schema, value, '/data')),
  'a place in a document': () => ['', '/data', '/data/id', '/data/items/1/id', '/data/a~1b/~0x/0/id', '/0/id', '/length', '/data/toString'].map((pointer) => documents.map((json) => at(json, pointer) !== undefined)),
  'the same in another order': () => [canonical({ b: 1, a: [{ d: 1, c: 2 }] }), canonical({ a: [{ c: 2, d: 1 }], b: 1 }), canonical([2, 1]), canonical(undefined), canonical(null)],
  'an id': each(documents, (json) => ['key', 'agent', ''].map((noun) => findId(json, noun))),
  'lists': each(documents, (json) => [findLists(json), findMainList(json, 'agent', 'key')?.pointer, findMainList(json)?.pointer]),
  'whether an id is shown': () => ['12', '7', '42', 'agt_1', '1', 'esc', 'true', 'null'].map((id) => documents.map((json) => hasValue(json, id))),
  'a record and its id': () => kinds.map((kind) => documents.map((json) => [recordIn(json, kind), idIn(json, kind)])),
  'whether a row is the record': () => rows.map((row) => [isRecord(row, 'agents', { id: 'agt_1', tag: 'Ann' }), isRecord(row, 'agents', { id: undefined, tag: 'Ann' })]),
  'words in a text': each(wordings, (text) => [standsIn(text, 'run-1'), mentions({ a: [text, 1] }, 'run-1'), standsIn(text, 'run.1')]),
  'complaints about a body': () => [...refusals.map((json) => complaint(answer(json))), ...refusalTexts.map((text) => complaint(answer(undefined, text)))],
  'deliveries': each(deliveries, (one) => [
    payloadOf(delivery(one)), eventOf(delivery(one)), shapeOf(payloadOf(delivery(one))),
    [['bkg_12345678', 'run-1'], ['42', 'run-2'], ['x', 'none']].map(([id = '', tag = '']) => tellsOf(delivery(one), { id, tag })),
  ]),
  'a header': () => [headerOf([['A', '1'], ['a', '2']], 'a'), headerOf([], 'a')],
};

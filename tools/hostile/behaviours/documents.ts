import { randomBytes } from 'node:crypto';
import { type Behaviour, headed, saying } from '../behaviour.ts';

const listOf = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(',');
/** The good body with additional fields in its data, or at its root. The fields are made once, at the first request. */
function holding(make: () => string): Behaviour {
  let more: string | null = null;
  return saying(({ body }) => {
    more ??= make();
    return body.includes('"data":{"')
      ? body.replace('"data":{', () => `"data":{${more},`)
      : `{${more},${body.slice(1)}`;
  });
}
const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
const tree = (depth: number): string =>
  depth === 0 ? '1' : `{${listOf(6, (index) => `"f${index}":${tree(depth - 1)}`)}}`;
const headers = (count: number, value: () => string): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, (_, index) => [`X-${index}`, value()] as const);

/** Answers that are small on the wire and large in memory, or as large as the client accepts without counting. */
export const documents: Readonly<Record<string, Behaviour>> = {
  'a hundred thousand fields': holding(() => `"v":{${listOf(99_000, (index) => `"f${index}":0`)}}`),
  'objects six wide and six deep': holding(() => `"v":${tree(6)}`),
  'ninety thousand empty lists': holding(() => `"v":[${listOf(90_000, () => '[]')}]`),
  'sixty thousand records': holding(() => `"items":[${listOf(60_000, (index) => `{"id":"r${index}","n":1}`)}]`),
  'sixty thousand records named by id': holding(
    () => `"items":{${listOf(60_000, (index) => `"r${index}":{"id":"r${index}"}`)}}`,
  ),
  'records in records, two hundred deep': holding(
    () => `"items":${'[{"id":"a","items":'.repeat(200)}[]${'}]'.repeat(200)}`,
  ),
  'three hundred texts of 800 random characters': holding(() => `"v":[${listOf(300, () => `"${random(600)}"`)}]`),
  'one text of 250,000 random characters': holding(() => `"v":"${random(187_500)}"`),
  'eighty thousand random characters beyond Latin-1': holding(
    () => `"v":"${String.fromCharCode(...Array.from(randomBytes(80_000), (byte) => 0x4e00 + byte))}"`,
  ),
  'a text of one letter, 250 KiB': holding(() => `"v":"${'z'.repeat(250 * 1024)}"`),
  'twelve hundred empty objects, in 3,800 characters': holding(() => `"v":[${listOf(1_200, () => '{}')}]`),
  'twelve thousand numbers of 18 digits': holding(
    () => `"v":[${listOf(12_000, (index) => String(900_000_000_000_000_000n + BigInt(index)))}]`,
  ),
  'five thousand secrets': holding(() => `"v":[${listOf(5_000, () => `{"secret":"${random(30)}"}`)}]`),
  'a thousand names of 200 random characters': holding(() => `"v":{${listOf(1_000, () => `"${random(150)}":1`)}}`),
  'links to the next page, twenty thousand': holding(
    () => `"links":[${listOf(20_000, (index) => `{"rel":"next","href":"?page=${index}"}`)}]`,
  ),
  '240 header lines of 120 random characters': headed(...headers(240, () => random(90))),
  'seven header lines of 4,000 random characters': headed(...headers(7, () => random(3_000))),
  'percent signs that hide percent signs, 200 KiB': holding(() => `"v":"${'%2525252541'.repeat(19_000)}"`),
  'base64 of base64 of base64, 200 KiB': holding(() => `"v":"${btoa(btoa(btoa('svc_test_'.repeat(9_000))))}"`),
};

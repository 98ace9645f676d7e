import { type Behaviour, changed, ids, saying, withFields } from './behaviour.ts';

const mebibyte = 1024 * 1024;
const replaced = (make: (body: string) => string | Buffer): Behaviour => saying(({ body }) => make(body));
const listOf = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(',');

/** Bodies that are hard to read, to keep or to traverse. */
export const bodies: Readonly<Record<string, Behaviour>> = {
  'fields named __proto__ and constructor': withFields('"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}'),
  'fields named like methods in every object': replaced((body) =>
    body.replace(/\{(?=")/g, '{"toString":1,"valueOf":2,"toJSON":3,"length":4,"then":5,'),
  ),
  'every field twice': replaced((body) => body.replace(/^\{/, `{${body.slice(1, -1)},`)),
  'fields that differ in case': withFields('"Success":false,"SUCCESS":0,"Data":[],"DATA":null'),
  'a name of 1 MiB': withFields(`"${'n'.repeat(mebibyte)}":1`),
  'names of emoji and controls': withFields('"\\ud83d\\ude00":1,"\\u202e":2,"\\u0007":3,"":4'),
  'a hundred thousand values': withFields(`"v":[${'0,'.repeat(100_000)}0]`),
  'a number of 100,000 digits': withFields(`"id":${'9'.repeat(100_000)}`),
  'numbers beyond all bounds': withFields('"a":1e400,"b":-1e400,"c":1e-400,"d":-0,"e":9007199254740993'),
  'halves of surrogate pairs': withFields('"a":"\\ud800","b":"\\udfff\\ud800","\\udc00":1'),
  'line separators': withFields('"message":"a\\u2028b\\u2029c\\u0085d\\r\\ne"'),
  'combining marks without end': withFields(`"message":"a${'\\u0301'.repeat(5_000)}"`),
  'NUL characters': withFields(`"message":"${'\\u0000'.repeat(5_000)}"`),
  'a million percent signs': withFields(`"message":"${'%25'.repeat(330_000)}"`),
  'a mebibyte of base64': withFields(`"message":"${Buffer.alloc(mebibyte, 'svc_test').toString('base64')}"`),
  'a thousand texts that look like keys': withFields(
    `"keys":[${listOf(1_000, (index) => `"svc_test_${String(index).repeat(12).slice(0, 32)}"`)}]`,
  ),
  'JSON of several lines of JSON': replaced((body) => `${body}\n${body}\n${body}`),
  'JSON in a text': replaced((body) => JSON.stringify(body)),
  'NaN and Infinity': replaced(() => '{"success":true,"data":NaN,"meta":Infinity}'),
  'four mebibytes of blanks around it': replaced((body) => ' '.repeat(4 * mebibyte) + body),
  XML: replaced(() => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;&a;</x>'),
};

const idsAs = (id: string): Behaviour => ids(() => JSON.stringify(id));

/** Ids and next pages that lead somewhere else. */
export const records: Readonly<Record<string, Behaviour>> = {
  'ids that are objects': ids(() => '{"$oid":"1"}'),
  'ids that leave their collection': idsAs('../webhooks/1'),
  'ids that leave it, encoded': idsAs('..%2F..%2Fwebhooks%2F1'),
  'ids with line ends': idsAs('a\r\nX-Injected: 1\r\n'),
  'ids with a query': idsAs('?all=true&x=#'),
  'ids that are dots': idsAs('..'),
  'ids that are empty': idsAs(''),
  'ids of a mebibyte': idsAs('i'.repeat(mebibyte)),
  'ids of half a surrogate': idsAs('\ud83d'),
  'ids that are commands': idsAs("'; rm -rf . #$(id)`id`"),
  'ids that are numbers beyond all bounds': ids(() => '1e999'),
  'the same id everywhere': idsAs('1'),
  'ids that are URLs of another host': ids((id, { elsewhere }) => `"${elsewhere}/${id}"`),
  'ids that change with every answer': ids((id, { number }) => `"${id}-${number}"`),
  'the next page at another host': withFields(({ elsewhere, url }) => `"next":"${elsewhere}${url}"`),
  'the next page at another host, with tabs in its scheme': withFields(
    ({ elsewhere, url }) => `"next":"${elsewhere.replace('http://', 'ht\\ttp:/\\t/')}${url}"`,
  ),
  'the next page at another host, in a link': changed((_, { elsewhere, url }) => ({
    headers: [['Link', `<${elsewhere}${url}>; rel="next"`]],
  })),
  'a next page that never ends': withFields(({ number }) => `"next_cursor":"c${number}","has_more":true`),
  'a next page of 100,000 characters': withFields(({ url }) => `"next":"${url}?cursor=${'c'.repeat(100_000)}"`),
  'a next page that is a script': withFields('"next":"javascript:alert(1)","links":{"next":"file:///etc/passwd"}'),
};

import { type Behaviour, ids, saying, withFields } from '../behaviour.ts';

const mebibyte = 1024 * 1024;
const replaced = (make: (body: string) => string | Buffer): Behaviour => saying(({ body }) => make(body));
const nested = (open: string, close: string, depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Bodies that are hard to read, to keep or to traverse. */
export const bodies: Readonly<Record<string, Behaviour>> = {
  'fields named __proto__ and constructor': withFields(
    '"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}',
  ),
  'fields named like methods': withFields('"toString":1,"hasOwnProperty":2,"valueOf":3,"toJSON":4,"then":5,"length":6'),
  'fields named like methods in every object': replaced((body) =>
    body.replace(/\{(?=")/g, '{"toString":1,"valueOf":2,"toJSON":3,"length":4,"then":5,'),
  ),
  'ids that are objects with fields named like methods': ids(() => '{"toString":1,"valueOf":2}'),
  'texts that are lists of objects with fields named like methods': replaced((body) =>
    body.replace(/:"[^"\\]*"/g, ':[{"toString":1,"valueOf":2}]'),
  ),
  'every field twice': replaced((body) => body.replace(/^\{/, `{${body.slice(1, -1)},`)),
  'fields that differ in case': withFields('"Success":false,"SUCCESS":0,"Data":[],"DATA":null'),
  'an empty name': withFields('"":"","\\u0000":0'),
  'a name of 1 MiB': withFields(`"${'n'.repeat(mebibyte)}":1`),
  'names of emoji and controls': withFields('"\\ud83d\\ude00":1,"\\u202e":2,"\\u0007":3'),
  'ten thousand fields': withFields(Array.from({ length: 10_000 }, (_, index) => `"f${index}":${index}`).join(',')),
  'a hundred thousand values': withFields(`"v":[${'0,'.repeat(100_000)}0]`),
  'a hundred thousand empty objects': withFields(`"v":[${'{},'.repeat(90_000)}{}]`),
  'lists 490 deep': withFields(`"v":${nested('[', ']', 490)}`),
  'objects 490 deep': withFields(`"v":${nested('{"v":', '}', 490)}`),
  'a number of 100,000 digits': withFields(`"id":${'9'.repeat(100_000)}`),
  'numbers beyond all bounds': withFields('"a":1e400,"b":-1e400,"c":1e-400,"d":-0,"e":9007199254740993'),
  'halves of surrogate pairs': withFields('"a":"\\ud800","b":"\\udfff\\ud800","\\udc00":1'),
  'text from right to left': withFields('"message":"\\u202egnihtemos\\u202c","name":"\\u2066\\u2069"'),
  'escape sequences': withFields('"message":"\\u001b[2J\\u001b]8;;http://x.invalid\\u0007link"'),
  'line separators': withFields('"message":"a\\u2028b\\u2029c\\u0085d\\r\\ne"'),
  'combining marks without end': withFields(`"message":"a${'\\u0301'.repeat(5_000)}"`),
  'NUL characters': withFields(`"message":"${'\\u0000'.repeat(5_000)}"`),
  'a million backslashes': withFields(`"message":"${'\\\\'.repeat(500_000)}"`),
  'a million percent signs': withFields(`"message":"${'%25'.repeat(330_000)}"`),
  'a million ampersands': withFields(`"message":"${'&amp;'.repeat(200_000)}"`),
  'a mebibyte of base64': withFields(`"message":"${Buffer.alloc(mebibyte, 'svc_test').toString('base64')}"`),
  'a mebibyte of digits': withFields(`"message":"${'7376635f'.repeat(130_000)}"`),
  'a thousand texts that look like keys': withFields(
    `"keys":[${Array.from({ length: 1_000 }, (_, index) => `"svc_test_${String(index).repeat(12).slice(0, 32)}"`).join(',')}]`,
  ),
  'ids that are objects': ids(() => '{"$oid":"1"}'),
  'ids that are lists': ids(() => '["1"]'),
  'ids that leave the folder': ids(() => '"../../../etc/passwd"'),
  'ids with line ends': ids(() => '"a\\r\\nX-Injected: 1\\r\\n"'),
  'ids with a query': ids(() => '"?all=true&x=#"'),
  'ids that are dots': ids(() => '".."'),
  'ids that are empty': ids(() => '""'),
  'ids of 100,000 characters': ids(() => `"${'i'.repeat(100_000)}"`),
  'the same id everywhere': ids(() => '"1"'),
  'pages that lead to themselves': withFields(
    '"next":"?cursor=1","next_cursor":"1","has_more":true,"total_pages":1000000',
  ),
  'pages that lead elsewhere': withFields(
    '"next":"http://elsewhere.invalid/api","links":{"next":"//elsewhere.invalid/"}',
  ),
  'pages that lead to a script': withFields('"next":"javascript:alert(1)","links":{"next":"file:///etc/passwd"}'),
  'UTF-16 with its mark': replaced((body) => Buffer.from(`\ufeff${body}`, 'utf16le')),
  'UTF-8 that is too long': replaced(() => Buffer.from([0x22, 0xc0, 0xaf, 0xe0, 0x80, 0xaf, 0x22])),
  'Latin-1': replaced((body) => Buffer.from(`${body.slice(0, -1)},"x":"\u00e4"}`, 'latin1')),
  'JSON with comments': replaced((body) => `// good\n${body}/* end */`),
  'JSON of several lines of JSON': replaced((body) => `${body}\n${body}\n${body}`),
  'JSON behind a guard': replaced((body) => `)]}',\n${body}`),
  'JSON as a call': replaced((body) => `callback(${body});`),
  'JSON in a text': replaced((body) => JSON.stringify(body)),
  'NaN and Infinity': replaced(() => '{"success":true,"data":NaN,"meta":Infinity}'),
  'three mebibytes of blanks around it': replaced((body) => ' '.repeat(3 * mebibyte) + body),
  XML: replaced(() => '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;&a;</x>'),
  'a multipart body': replaced((body) => `--b\r\nContent-Type: application/json\r\n\r\n${body}\r\n--b--`),
  'an image': replaced(() => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
};

import { expect, test } from 'vitest';
import { createRedactor } from '../../../common/redact.ts';

const key = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';
const { clean, cleanBody, cleanJson, learn } = createRedactor();
learn(key);

test.for([
  ['in JSON', JSON.stringify([...key])],
  ['in JSON with indents', JSON.stringify([...key], null, 8)],
  ['with commas', [...key].join(', ')],
  ['in SQL', [...key].map((one) => `'${one}'`).join(' || ')],
  ['in groups with commas', key.replace(/.{4}/g, '$&,')],
  ['as a sum of texts', key.replace(/.{7}/g, "$&'||'")],
  ['as a sum of texts in quotes', (key.match(/.{1,4}/g) ?? []).map((part) => `"${part}"`).join(' + ')],
  ['with comments of HTML', key.replace(/.{4}/g, '$&<!-- -->')],
  ['as JSON in a text', JSON.stringify(JSON.stringify(key.match(/.{1,4}/g)))],
  ['in sets', (key.match(/.{1,2}/g) ?? []).map((part) => `{${part}};`).join('\n')],
  ['in brackets', key.replace(/.{3}/g, '($&)')],
  ['with points in the middle', [...key].join('\u00b7')],
  ['with blanks that do not break', key.replace(/.{4}/g, '$&\u00a0')],
  ['with dashes of print', key.replace(/.{4}/g, '$&\u2013')],
  ['with fillers of Hangul', [...key].join('\u3164')],
  ['with blanks of Braille', [...key].join('\u2800')],
] as const)('is removed character by character or in groups, %s', ([, written]) => {
  const cleaned = clean(`before ${written} behind`);
  expect(cleaned).toMatch(/^before .*….* behind$/s);
  expect(cleaned.replace(/[^A-Za-z0-9]/g, '')).toBe('beforesvctestbehind');
});

test.for([
  ['as bytes of UTF-16', JSON.stringify([...Buffer.from(key, 'utf16le')])],
  ['as decimals with zeros', [...Buffer.from(key)].map((byte) => `${byte}.0`).join(';')],
  ['as decimals of four digits', [...Buffer.from(key)].map((byte) => String(byte).padStart(4, '0')).join(', ')],
  ['as calls', [...Buffer.from(key)].map((byte) => `chr(${byte})`).join('.')],
  ['as records of bytes', JSON.stringify([...Buffer.from(key)].map((value) => ({ value })))],
  ['as references without semicolons', [...key].map((one) => `&#${one.charCodeAt(0)} `).join('')],
] as const)('is removed as numbers, %s', ([, written]) => {
  const cleaned = clean(`before ${written} behind`);
  expect(cleaned).toMatch(/^before .*….* behind$/s);
  expect(cleaned.length).toBeLessThan(written.length / 2 + 30);
});

const hexadecimal = (one: string): string => one.charCodeAt(0).toString(16);

test.for([
  ['an encoded blank between', [...key].join('%20')],
  ['an escaped tab between', [...key].join('\\t')],
  ['a reference to a blank between', [...key].join('&nbsp;')],
  ['a reference to a hyphen that is not seen between', [...key].join('&shy;')],
  ['eight digits', [...key].map((one) => `\\U${hexadecimal(one).padStart(8, '0')}`).join('')],
  ['six digits, as in CSS', [...key].map((one) => `\\${hexadecimal(one).padStart(6, '0')}`).join('')],
] as const)('is removed character by character where escapes have it: %s', ([, written]) => {
  expect(clean(`before ${written} behind`)).toMatch(/^before \S{0,90}… behind$/);
});

test.for([
  ['characters', [...key]],
  ['pieces beside a longer text and none', [null, 'a text that is longer than a piece', ...[...key]]],
  ['bytes by their places', { ...Buffer.from(key) }],
] as const)('is removed from JSON as %s', ([, value]) => {
  const cleaned = JSON.stringify(cleanJson({ value }));
  expect(cleaned).not.toContain(key.slice(-1));
  expect(cleaned).not.toContain(String(key.charCodeAt(12)));
});

test('is removed in pieces where it has marks itself, as base64 has', () => {
  const secret = 'whsec_+/+/wGlyLrRC283SON5gmQ+cUrnRiV7Lu48UypnZ';
  const { clean, cleanJson, learn } = createRedactor();
  learn(secret);
  for (const size of [2, 5, 7]) {
    const pieces = secret.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    expect(JSON.stringify(cleanJson({ pieces }))).toBe('{"pieces":["…"]}');
    expect(clean(pieces.join(' '))).not.toMatch(/wG.*ly|C2.*83|mQ/);
  }
});

test.for([
  ['pieces', JSON.stringify({ id: 1, pieces: key.match(/.{1,7}/g) })],
  ['pieces in lines', JSON.stringify({ pieces: key.match(/.{1,5}/g) }, null, 2)],
  ['bytes by their places', JSON.stringify({ ...Buffer.from(key) })],
  ['pieces beside the secret', JSON.stringify([key, key.match(/.{1,4}/g)])],
] as const)('is removed from the text of a body as %s', ([, text]) => {
  const cleaned = cleanBody(text);
  expect(cleanJson(JSON.parse(cleaned))).toEqual(JSON.parse(cleaned));
  expect(cleaned).toContain('…');
  expect(cleaned).not.toContain(key.slice(-2));
  expect(cleanBody(cleaned)).toBe(cleaned);
});

test('leaves the text of a body alone that shows none', () => {
  const text = '{ "id": 1, "list": ["a", "b"] }';
  expect(cleanBody(text)).toBe(text);
  expect(cleanBody('no JSON')).toBe('no JSON');
});

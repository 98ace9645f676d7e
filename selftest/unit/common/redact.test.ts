import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, shorten } from '../../../common/redact.ts';
import { clauses } from '../../../contract/clauses.ts';
import { givesAway, longestShownPart, redactorOf, secretAndRandom, text } from './secrets.ts';

const key = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';
describe('a learnt secret', () => {
  test('is found even if it was cut at both ends', () => {
    fc.assert(
      fc.property(secretAndRandom, fc.nat(40), fc.nat(40), text, ({ secret, part }, from, to, around) => {
        const piece = part.slice(from, from + 8 + to);
        const cleaned = redactorOf(secret).clean(`${around} ${piece} ${around}`);
        expect(longestShownPart(cleaned, part)).not.toSatisfy(givesAway);
      }),
    );
    const { clean } = redactorOf(key);
    expect(clean(`starts with ${key.slice(0, 12)}`)).toBe('starts with svc_test_…');
    expect(clean(`ends with ${key.slice(-8)}`)).toBe('ends with …');
    expect(clean(`seven are few, ${key.slice(-7)}`)).toBe(`seven are few, ${key.slice(-7)}`);
  });

  test('keeps a known prefix, however short the rest is', () => {
    const { clean } = redactorOf(key.slice(0, 17));
    expect(clean(`api_key=${key}`)).toMatch(/^api_key=svc_test_…/);
  });

  test('is not a secret if it contains the tag of the run, unless it has the prefix of a key', () => {
    const { isOwn } = createRedactor(['run-k7q2']);
    expect(isOwn('run-k7q2-17-without-sche')).toBe(true);
    expect(isOwn('svc_test_run-k7q2-Ab3dE9')).toBe(false);
    expect(isOwn('Ab3dE9fGh2')).toBe(false);
  });

  test.for([
    ['as it is', key],
    ['in capitals', key.toUpperCase()],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(`k=${key}&x`)).replaceAll('_', '%255F')],
    ['as basic credentials', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['as basic credentials after a user name', `Basic ${Buffer.from(`me:${key}`).toString('base64url')}`],
    ['in base64 of its percent-encoded form', Buffer.from(encodeURIComponent(key)).toString('base64')],
    ['in Markdown', key.replaceAll('_', String.raw`\_`)],
    ['as references', [...key].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join('')],
    ['in code', [...key].map((one) => `\\u{${one.charCodeAt(0).toString(16)}}`).join('')],
    ['in hexadecimal digits', Buffer.from(key).toString('hex').toUpperCase()],
    ['backwards', [...key].reverse().join('')],
    ['in base64 of UTF-16', Buffer.from(key, 'utf16le').toString('base64')],
    ['in hexadecimal digits of UTF-16', Buffer.from(key, 'utf16le').swap16().toString('hex')],
    ['in JSON, with zeros', JSON.stringify([...key].join('\0'))],
    ['with a soft hyphen after every fourth character', key.replace(/.{4}/g, '$&\u00ad')],
    ['as Node writes a buffer', JSON.stringify(Buffer.from(key))],
    ['as a console writes a buffer', `<Buffer ${Buffer.from(key).toString('hex').replace(/../g, '$& ')}>`],
    ['as bytes in lines', JSON.stringify([...Buffer.from(key)], null, 2).replaceAll('\n', '\r\n')],
    [
      'as bytes with colons',
      Buffer.from(key)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:'),
    ],
    ['as xxd writes bytes', Buffer.from(key).toString('hex').replace(/.{4}/g, '$& ')],
    ['as words of four bytes', Buffer.from(key).toString('hex').replace(/.{8}/g, '$&\n')],
    ['as escaped bytes', Buffer.from(key).toString('hex').replace(/../g, String.raw`\x$&`)],
    ['as bytes of a program', Buffer.from(key).toString('hex').replace(/../g, '0x$&, ')],
    ['in base64 of its bytes', Buffer.from([...Buffer.from(key)].join(', ')).toString('base64')],
    ['in code of Perl', [...key].map((one) => `\\x{${one.charCodeAt(0).toString(16)}}`).join('')],
    ['in octal escapes', [...key].map((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')],
    ['in full-width letters', key.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0))],
    [
      'in letters of mathematics',
      key.replace(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) - 0x61 + 0x1d41a)),
    ],
    ['in tags', key.replace(/./g, (one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0)))],
    ['in groups of four', key.replace(/.{4}/g, '$&-')],
    ['in groups of five in lines', key.replace(/.{5}/g, '$&\r\n')],
    ['letter by letter', [...key].join(' ')],
    ['in base64 of its groups', Buffer.from(key.replace(/.{6}/g, '$&.')).toString('base64')],
    ['with references to records that are not shown', key.replace(/.{3}/g, '$&&#8203;')],
  ] as const)('is removed %s', ([, written]) => {
    const cleaned = redactorOf(key).clean(`before ${written} behind`);
    expect(cleaned).toMatch(/^before .*….* behind$/s);
    expect(cleaned.length).toBeLessThan(written.length / 2 + 30);
  });

  test('leaves its prefix, and the text around it', () => {
    const { clean } = redactorOf(key, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_MfKQ9r8GKYqrAndMore');
    expect(clean(`{"a":"${key}","b":1}`)).toBe('{"a":"svc_test_…","b":1}');
    expect(clean(`${key}${key}`)).toBe('svc_test_…');
    expect(clean('x whsec_MfKQ9r8GKYqrAndMore y')).toBe('x whsec_… y');
  });

  test.for(['pässwört-für-gäste-ünd-ändere', 'correct horse battery staple'])('may be %s', (secret) => {
    const { clean } = redactorOf(secret);
    const references = secret.replace(/\S/g, (letter) => `&#${letter.charCodeAt(0)};`);
    expect(clean(`a ${secret} b`)).toBe('a … b');
    expect(clean(`a ${references} b`)).toBe('a … b');
    expect(clean(encodeURIComponent(secret))).toBe('…');
    expect(clean(String(new URLSearchParams({ secret })))).toBe('secret=…');
  });
});

describe('text that is not a secret stays unchanged', () => {
  test.for([
    'svc_test_ and svc_live_ are the prefixes of keys',
    `svc_test_${'*'.repeat(120)}`,
    'svc_live_xxxxxxxxxxxxxxxx',
    'svc_test_abc…',
    'a run marks its records with conformance-1a2b3c4d, and CONFORMANCE-1A2B3C4D is the same mark',
    '00000000000000000000',
    '2026-11-22T03:23:15.123Z',
    String.raw`C:\101\163 &#115 &#x73 U+0073 \x{73} Ａ-ｂ`,
    'a - b - c | d . e / f + g * h : i ~ j',
  ])('%s', (plain) => {
    const { clean } = redactorOf(key, `svc_test_${'*'.repeat(40)}`, 'whsec_conformance-1a2b3c4d', '0000000000000000');
    expect(clean(plain)).toBe(plain);
  });

  test('the words of the documents, even if a secret contains them', () => {
    const { clean } = redactorOf('workspace', 'developer.auth.missing-key', 'developer.auth.missing-key-81f0');
    for (const { id, title } of clauses) {
      expect(clean(`${id} ${title}`)).toBe(`${id} ${title}`);
    }
    expect(clean('developer.auth.missing-key-81f0')).toBe('developer.auth.mis…');
  });

  test('text that is too short to be a secret', () => {
    const { clean } = redactorOf('', 'status');
    expect(clean('status of a test')).toBe('status of a test');
  });
});

test('keys of the developer API are recognised by their form', () => {
  const { clean } = createRedactor();
  expect(clean('{"a":"svc_test_Abc123XYZ","b":"SVC_LIVE_0123456789"}')).toBe('{"a":"svc_test_…","b":"SVC_LIVE_…"}');
  expect(clean('ZYX321cbA_tset_cvs')).toBe('…_tset_cvs');
  expect(clean(encodeURIComponent('"svc_test_Abc123XYZ"'))).toBe('%22svc_test_…%22');
});

test('a UUID that shares a run with a secret by chance is no part of it', () => {
  const [shared, secret] = ['06dc2554-5eec-49dd-83a3-aae0123456fc', 'svc_test_77e0123456789f1b2c3d4e5f60718293'];
  const { clean } = redactorOf(secret, '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed');
  expect(clean(`{"trace_id":"${shared}"}`)).toBe(`{"trace_id":"${shared}"}`);
  expect(clean('e0123456789f')).toBe('…');
  expect(clean('"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"')).toBe('"…"');
  expect(clean('77e01234-5678-4f1b-8c3d-4e5f60718293')).not.toContain('4e5f60718293');
});

describe('escaped text stays well-formed', () => {
  const secrets = fc.tuple(secretAndRandom, text, text).map(([{ secret }, before, behind]) => ({
    secret,
    value: { [`${behind}${secret}`]: [`${before}${secret}${behind}`, { deep: secret }] },
  }));

  test('if a secret contains syntax of its document', () => {
    const { clean } = redactorOf('pa"success"<title>8');
    expect(clean('{"success": "success is true", "of": "success\\"<title>8"}')).toBe(
      '{"…": "… is true", "of": "…<…>…"}',
    );
    expect(clean('<b title="success">success</b>')).toBe('<b title="…">success</b>');
  });

  test('JSON', () => {
    fc.assert(
      fc.property(secrets, ({ secret, value }) => {
        const { clean, cleanJson } = redactorOf(secret);
        const shown = JSON.stringify(JSON.parse(clean(JSON.stringify(value))));
        expect(longestShownPart(shown, secret)).not.toSatisfy((run: string) => run.length >= 20 && givesAway(run));
        expect(clean(JSON.stringify(cleanJson(value)))).toBe(JSON.stringify(cleanJson(value)));
      }),
    );
  });

  test('an escape is removed completely or not at all', () => {
    const { clean } = redactorOf('0041bcdefgh1', 'nabcdefgh1', 'ampabcdefgh1');
    expect(JSON.parse(clean(String.raw`"\u0041bcdefgh1 \nabcdefgh1"`))).toBe('… …');
    expect(clean('&ampabcdefgh1; &amp;abcdefgh1')).toBe('… …');
  });
});

test('numbers in a list that are no bytes of a secret', () => {
  const { clean, cleanJson } = redactorOf(key);
  const list = [...Array(200).keys()];
  expect(clean(list.join())).toBe(list.join());
  expect(cleanJson({ daily: list })).toEqual({ daily: list });
  expect(cleanJson({ data: [...Buffer.from(key)] })).toEqual({ data: ['…'] });
});

test.for([
  ['characters', [...key]],
  ['pieces', key.match(/.{1,4}/g)],
  ['hexadecimal bytes', Buffer.from(key).toString('hex').match(/../g)],
  ['bytes of a program', [...Buffer.from(key)].map((byte) => `0x${byte.toString(16)}`)],
  ['decimal bytes as texts', [...Buffer.from(key)].map(String)],
  [
    'pieces of base64',
    Buffer.from(key)
      .toString('base64')
      .match(/.{1,16}/g),
  ],
])('a list of the %s of a secret is replaced', ([, pieces]) => {
  expect(redactorOf(key).cleanJson({ echo: pieces, scopes: ['ads:read', 'ads:write'] })).toEqual({
    echo: ['…'],
    scopes: ['ads:read', 'ads:write'],
  });
});

test('a JSON value is cleaned without being written: names, texts, numbers', () => {
  const { cleanJson } = redactorOf(key, '9876543210123');
  expect(cleanJson({ [key]: [key, 9876543210123, 98, null, true], plain: 'x' })).toEqual({
    'svc_test_…': ['svc_test_…', '…', 98, null, true],
    plain: 'x',
  });
});

describe('text that is made to slow redaction down', () => {
  test.for([
    ['prefixes of keys', 'svc_test_'],
    ['prefixes backwards', 'tset_cvs'],
    ['symbols that are text at every alignment', 'VVVVUUUU'],
    ['escapes within escapes', '%2525252525'],
    ['escapes of JSON in a text', String.raw`{\"a\":`],
    ['a part of the secret', key.slice(9, 16)],
  ] as const)('%s: shows no more of the secret than any other', ([, part]) => {
    const { clean } = redactorOf(key);
    const cleaned = clean(part.repeat(40_000) + key + part.repeat(10_000));
    expect(longestShownPart(cleaned, key.slice(9))).not.toSatisfy(givesAway);
  });

  test('ten thousand similar secrets slow nothing down and displace no other', () => {
    const { learn, clean } = redactorOf(key);
    for (let i = 0; i < 10_000; i += 1) {
      learn(`whsec_${'ab'.repeat(20)}${i}`);
    }
    expect(clean(`${'ab'.repeat(50_000)} ${key}`)).toMatch(/ svc_test_…$/);
  });
});

describe('the part of a secret that may be shown', () => {
  test('is its prefix, or four characters at most', () => {
    fc.assert(
      fc.property(secretAndRandom, ({ secret, part }) => {
        expect(longestShownPart(shorten(secret), part).length).toBeLessThanOrEqual(4);
      }),
    );
    expect(shorten('svc_test_0123456789')).toBe('svc_test_…');
    expect(shorten('hunter2hunter2')).toBe('hun…');
    expect(shorten('wsk_pawybmXytrh5XMzd77596')).toBe('wsk_…');
  });
});

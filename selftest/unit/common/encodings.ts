import fc from 'fast-check';

/** An encoding of text, and what an attacker who knows it can decode from the remaining text. */
interface Encoding {
  readonly name: string;
  readonly encode: (text: string) => string;
  /** All possible decodings of a text, at any alignment, even if parts are missing. */
  readonly decode: (text: string) => readonly string[];
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** Escapes characters that must be escaped, and others if the bit of the repeated mask says so. */
const escaping =
  (must: RegExp, write: (code: number) => string) =>
  (mask: readonly boolean[]) =>
  (text: string): string =>
    [...text]
      .map((character, i) =>
        must.test(character) || mask[i % mask.length] ? write(character.charCodeAt(0)) : character,
      )
      .join('');

const number = (digits: string, base: number): string => String.fromCharCode(Number.parseInt(digits, base) & 0xffff);

const percent = {
  lower: escaping(/[^\w.~*'()!-]/, (code) => `%${hex(code, 2)}`),
  upper: escaping(/[^\w.~*'()!-]/, (code) => `%${hex(code, 2).toUpperCase()}`),
  undo: (text: string) => [text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => number(digits, 16))],
};
const short: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '/': '\\/' };
const json = {
  plain: (text: string): string => JSON.stringify(text).slice(1, -1),
  slashed: (text: string): string => [...text].map((one) => short[one] ?? one).join(''),
  unicode: escaping(/["\\\n&%]/, (code) => `\\u${hex(code, 4)}`),
  undo: (text: string) => [
    text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, digits: string | undefined, one: string) =>
      digits === undefined ? ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[one] ?? one) : number(digits, 16),
    ),
  ],
};
const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const html = {
  named: (text: string): string => text.replace(/[&<>"']/g, (one) => named[one] ?? one),
  decimal: escaping(/[&<>"'%\\]/, (code) => `&#${code};`),
  hexadecimal: escaping(/[&<>"'%\\]/, (code) => `&#x${hex(code, 2)};`),
  undo: (text: string) => [
    text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal?: string, digits?: string, name?: string) =>
      name === undefined
        ? number(decimal ?? digits ?? '', decimal === undefined ? 16 : 10)
        : (Object.entries(named).find(([, written]) => written === `&${name};`)?.[0] ?? whole),
    ),
  ],
};
const markdown = {
  encode: (text: string): string => text.replace(/[\\_*`[\]()#+.!|-]/g, String.raw`\$&`),
  undo: (text: string) => [text.replace(/\\([^\w\s])/g, '$1')],
};

/** Escapes of other languages than JSON. */
const code = {
  octal: escaping(/[\\&%]/, (one) =>
    one >= 0x20 && one < 0x7f ? `\\${one.toString(8).padStart(3, '0')}` : String.fromCharCode(one),
  ),
  braced: escaping(/[\\&%]/, (one) => `\\x{${hex(one, 2)}}`),
  undo: (text: string) => [
    text.replace(/\\(?:([01][0-7]{2})|x\{([0-9a-f]+)\})/gi, (_, octal: string | undefined, digits: string) =>
      octal === undefined ? number(digits, 16) : number(octal, 8),
    ),
  ],
};

const latin1 = (bytes: Buffer): string => bytes.toString('latin1');
const runs = (text: string, symbols: RegExp): string[] => text.match(symbols) ?? [];
const base64Undo = (text: string): string[] =>
  [0, 1, 2, 3].map((skip) =>
    runs(text, /[\w+/-]+/g)
      .map((run) => latin1(Buffer.from(run.slice(skip), 'base64')))
      .join('\u0000'),
  );
const hexUndo = (text: string): string[] =>
  [0, 1].map((skip) =>
    runs(text, /[0-9a-f]+/gi)
      .map((run) => latin1(Buffer.from(run.slice(skip, skip + 2 * Math.floor((run.length - skip) / 2)), 'hex')))
      .join('\u0000'),
  );
const reverse = (text: string): string => text.split('').reverse().join('');

/** Any encoding that the redactor decodes; base64 and hex with other bytes before and after. */
const anyEncoding: fc.Arbitrary<Encoding> = fc
  .record({
    mask: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
    before: fc.string({ maxLength: 4 }),
    behind: fc.string({ maxLength: 4 }),
    kind: fc.nat(15),
  })
  .map(({ mask, before, behind, kind }) => {
    const framed = (coding: BufferEncoding) => (text: string) =>
      Buffer.from(before + text + behind, 'latin1').toString(coding);
    const folded = (text: string): string => framed('base64')(text).replace(/.{76}/g, '$&\r\n');
    const unfolded = (text: string): string[] => base64Undo(text.replace(/\r\n/g, ''));
    const kinds: readonly Encoding[] = [
      { name: 'percent', encode: percent.lower(mask), decode: percent.undo },
      { name: 'PERCENT', encode: percent.upper(mask), decode: percent.undo },
      { name: 'every percent', encode: percent.upper([true]), decode: percent.undo },
      { name: 'JSON', encode: json.plain, decode: json.undo },
      { name: 'JSON with slashes', encode: json.slashed, decode: json.undo },
      { name: 'JSON in unicode', encode: json.unicode(mask), decode: json.undo },
      { name: 'HTML', encode: html.named, decode: html.undo },
      { name: 'HTML in decimal', encode: html.decimal(mask), decode: html.undo },
      { name: 'HTML in hexadecimal', encode: html.hexadecimal(mask), decode: html.undo },
      { name: 'octal', encode: code.octal(mask), decode: code.undo },
      { name: 'braces', encode: code.braced(mask), decode: code.undo },
      { name: 'Markdown', encode: markdown.encode, decode: markdown.undo },
      { name: 'base64', encode: framed('base64'), decode: base64Undo },
      { name: 'base64url', encode: framed('base64url'), decode: base64Undo },
      { name: 'base64 in lines', encode: folded, decode: unfolded },
      { name: 'hexadecimal', encode: framed('hex'), decode: hexUndo },
    ];
    return kinds[kind] as Encoding;
  });

const reversal: Encoding = { name: 'reversal', encode: reverse, decode: (text) => [reverse(text)] };

/** Up to four encodings, the innermost first. */
export const composition: fc.Arbitrary<readonly Encoding[]> = fc.array(
  fc.oneof({ weight: 9, arbitrary: anyEncoding }, { weight: 2, arbitrary: fc.constant(reversal) }),
  { maxLength: 4 },
);

export const encodeAll = (text: string, encodings: readonly Encoding[]): string =>
  encodings.reduce((written, { encode }) => encode(written), text);

/** All possible decodings of a text by the composition, from the outermost encoding on. */
export const decodeAll = (text: string, encodings: readonly Encoding[]): readonly string[] =>
  encodings.toReversed().reduce<readonly string[]>((texts, { decode }) => texts.flatMap(decode), [text]);

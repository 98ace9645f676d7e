export const [percent, backslash] = [0x25, 0x5c];

/** Printable ASCII and the blank: secrets and their encodings are made of nothing else. */
export const isPrintable = (code: number): boolean => code >= 0x20 && code < 0x7f;

/** The lower case of an ASCII letter; any other character as it is. */
export const fold = (code: number): number => (code >= 0x41 && code <= 0x5a ? code | 0x20 : code);

/** The value of a hexadecimal digit, or -1. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) {
    return code - 0x30;
  }
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The text's UTF-16 code units, written to `codes`, which must be as long as the text. */
export function codesOf(text: string, codes = new Uint16Array(text.length)): Uint16Array {
  Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).write(text, 'utf16le');
  return codes;
}

/** A part of a text in lower case. */
export function foldedText(codes: Uint16Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i += 1) {
    text += String.fromCharCode(fold(codes[i] ?? 0));
  }
  return text;
}

export const backwards = (text: string): string => text.split('').reverse().join('');

import { gunzipSync, inflateSync } from 'node:zlib';
import { UnreadableCapture } from './unreadable.ts';

const mostBytes = 256 * 1_048_576;

/** The text of a capture as UTF-8: gzip and zlib are unpacked, UTF-16 is converted, a byte order mark is left out. */
export function plainBytes(file: Buffer): Buffer {
  const [first, second] = file;
  const unpack = { 31: gunzipSync, 120: inflateSync }[first ?? 0];
  if (unpack !== undefined && (second === 0x8b || ((first ?? 0) * 256 + (second ?? 0)) % 31 === 0)) {
    try {
      return plainBytes(unpack(file, { maxOutputLength: mostBytes }));
    } catch {
      throw new UnreadableCapture('it is compressed, and cannot be unpacked');
    }
  }
  if (file.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) {
    throw new UnreadableCapture('it is a ZIP archive: unpack it, and name a file in it');
  }
  const encoding = utf16(file);
  const text = encoding === undefined ? file : Buffer.from(new TextDecoder(encoding).decode(file));
  return text.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? text.subarray(3) : text;
}

/** UTF-16 by its byte order mark, or by the zeros beside ASCII letters. PowerShell writes it. */
function utf16(file: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const start = file.toString('latin1', 0, 4);
  if (/^(\xff\xfe|[^\0]\0[^\0]\0)/.test(start)) {
    return 'utf-16le';
  }
  return /^(\xfe\xff|\0[^\0]\0[^\0])/.test(start) ? 'utf-16be' : undefined;
}

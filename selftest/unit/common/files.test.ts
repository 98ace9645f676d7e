import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeFolder, readText } from '../../../common/files.ts';
import { newFile } from '../../new-folder.ts';

const text = '{"log":{"entries":[]}}';
const written = (bytes: string | Buffer): string => newFile('a.har', bytes);

test.each(
  Object.entries({
    zlib: deflateSync(text),
    'UTF-16 with a byte order mark': Buffer.from(`\ufeff${text}`, 'utf16le'),
  }),
)('a file that the user names is read: %s', (_, bytes) => {
  expect(readText(written(bytes))).toBe(text);
});

test.each([
  ['a zip archive', 'PK\u0003\u0004rest'],
  ['compressed, and cannot be unpacked', gzipSync(text).subarray(0, 20)],
])('what cannot be read is named: %s', (name, bytes) => {
  expect(() => readText(written(bytes))).toThrow(name);
});

test.skipIf(process.platform === 'win32')('that no folder can be made is told, and not tried for ever', () => {
  const file = newFile('a', '');
  expect(() => makeFolder(`${file}/b/c`)).toThrow('ENOTDIR');
  expect(() => makeFolder('/proc/none/c')).toThrow(/^E/);
});

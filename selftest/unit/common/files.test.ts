import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { earlierRun } from '../../../cli/read-file.ts';
import { readNamed, readText } from '../../../common/files.ts';
import { newFile, newFolder } from '../../new-folder.ts';

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

test('a pipe is read until its writer closes it; in the place of a report it causes no delay', () => {
  const [folder, other] = [newFolder(), newFolder()];
  const pipe = join(folder, 'conformance.json');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(other, 'conformance.json'));
  expect([earlierRun(folder), earlierRun(other)]).toEqual([null, null]);
  const writer = spawn('sh', ['-c', `echo one > ${pipe}`]);
  expect(readNamed(pipe).toString()).toBe('one\n');
  writer.kill();
});

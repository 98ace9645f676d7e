import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { earlierRun } from '../../../cli/read-file.ts';
import { readBounded } from '../../../common/read-bounded.ts';
import { newFolder } from '../../new-folder.ts';

test('a file is read whole, up to the size limit', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, 'x'.repeat(200_000));
  expect(readBounded(file, 200_000).length).toBe(200_000);
  expect(() => readBounded(file, 100_000)).toThrow('it has more than 100000 bytes');
});

test('a pipe is read until its writer closes it; in the place of a report it causes no delay', () => {
  const [folder, other] = [newFolder(), newFolder()];
  const pipe = join(folder, 'conformance.json');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(other, 'conformance.json'));
  expect([earlierRun(folder), earlierRun(other)]).toEqual([null, null]);
  const writer = spawn('sh', ['-c', `echo one > ${pipe}`]);
  expect(readBounded(pipe, 100).toString()).toBe('one\n');
  writer.kill();
});

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { earlierRun } from '../../../cli/test/earlier-run.ts';
import { readBounded } from '../../../common/read-bounded.ts';
import { newFolder } from '../../new-folder.ts';

test('a file is read whole, up to the size limit', () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, 'x'.repeat(200_000));
  expect(readBounded(file, 200_000).length).toBe(200_000);
  expect(() => readBounded(file, 100_000)).toThrow('it has more than 100000 bytes');
});

test('an endless input is given up', () => {
  expect(() => readBounded('/dev/zero', 1_000_000)).toThrow('it has more than 1000000 bytes');
  expect(() => readBounded('/dev/zero', 1_000_000, 'plain')).toThrow('it is not a file');
});

test('a pipe in the place of a report causes no delay', () => {
  const [folder, other] = [newFolder(), newFolder()];
  execFileSync('mkfifo', [join(folder, 'conformance.json')]);
  mkdirSync(join(other, 'conformance.json'));
  expect([earlierRun(folder), earlierRun(other)]).toEqual([null, null]);
});

test('a device that ends at once reads as empty', () => {
  expect(readBounded('/dev/null', 100).length).toBe(0);
});

const patience = { forWriterMs: 50, forBytesMs: 50, forEndMs: 500 };

test('a pipe that nobody writes to is given up', () => {
  const pipe = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(() => readBounded(pipe, 100, 'any', patience)).toThrow('no writer for 0.05 s');
});

test('a pipe whose writer goes on for ever is given up', () => {
  const pipe = join(newFolder(), 'slow');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', `while echo more; do sleep 0.02; done > ${pipe}`]);
  expect(() => readBounded(pipe, 100_000, 'any', { ...patience, forWriterMs: 5_000, forBytesMs: 5_000 })).toThrow(
    'it did not end within 0.5 s',
  );
  writer.kill('SIGKILL');
});

test('a pipe is read until its writer closes it, and given up if the writer is silent', () => {
  const folder = newFolder();
  const [spoken, silent] = [join(folder, 'spoken'), join(folder, 'silent')];
  execFileSync('mkfifo', [spoken, silent]);
  const writers = [
    spawn('sh', ['-c', `{ echo one; echo two; } > ${spoken}`]),
    spawn('sh', ['-c', `exec sleep 60 > ${silent}`]),
  ];
  expect(readBounded(spoken, 100).toString()).toBe('one\ntwo\n');
  expect(() => readBounded(silent, 100, 'any', { ...patience, forWriterMs: 5_000 })).toThrow('no data for 0.05 s');
  for (const writer of writers) {
    writer.kill('SIGKILL');
  }
});

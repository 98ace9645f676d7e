import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CannotRun } from '../../../../../common/cannot-run.ts';
import { createLedger, type Intent, memoryLedger } from '../../../../../suites/session/ledger/ledger.ts';
import { leftLedgers, openLedger, tryLedgers } from '../../../../../suites/session/ledger/ledger-file.ts';
import { isAlive, ledgerName } from '../../../../../suites/session/ledger/ledger-name.ts';
import { newFolder } from '../../../../new-folder.ts';

const intent = (tag: string): Intent => ({
  api: 'developer',
  origin: 'http://127.0.0.1',
  collection: '/api/v1/developer/keys',
  keySetting: 'SANDBOX_API_KEY',
  tag,
});

test('open entries are those that were intended and are not gone, latest first', () => {
  const ledger = memoryLedger();
  const [a, b, c] = ['a', 'b', 'c'].map((tag) => ledger.intend(intent(tag)));
  if (!a || !b || !c) {
    throw new Error('No entries');
  }
  ledger.identify(a, 'id-a');
  ledger.remove(b);
  expect(ledger.toDelete().map(({ tag, id }) => [tag, id])).toEqual([
    ['c', undefined],
    ['a', 'id-a'],
  ]);
});

test.each([0, 1, 20, 90, 200])('a ledger whose end was cut off by %i characters has the other entries', (cut) => {
  const place = newFolder();
  const first = openLedger('x', place);
  for (const tag of ['a', 'b', 'c']) {
    first.ledger.intend(intent(tag));
  }
  truncateSync(first.path, readFileSync(first.path).length - cut);
  const again = openLedger('x', place).ledger;
  expect(['cba', 'ba', 'a']).toContain(
    again
      .toDelete()
      .map(({ tag }) => tag)
      .join(''),
  );
  expect(again.unreadable).toBe(0);
  again.intend(intent('d'));
  expect(openLedger('x', place).ledger.toDelete()[0]?.tag).toBe('d');
});

test('each line is in the file before the call returns; a ledger without open entries leaves no file', () => {
  const { ledger, path, close } = openLedger('x', newFolder());
  expect(existsSync(path)).toBe(false);
  const entry = ledger.intend(intent('a'));
  expect(readFileSync(path, 'utf8')).toContain('"tag":"a"');
  ledger.identify(entry, '7');
  expect(readFileSync(path, 'utf8')).toContain('"id":"7"');
  ledger.remove(entry);
  close();
  expect(existsSync(path)).toBe(false);
});

test('if a line cannot be written, the trouble is told, and the ledger goes on in memory', () => {
  const file = join(newFolder(), 'ledger');
  writeFileSync(file, 'kept');
  const troubles: string[] = [];
  const { ledger, close } = openLedger('x', file, (why) => troubles.push(why));
  const entry = ledger.intend(intent('a'));
  ledger.identify(entry, '7');
  expect(ledger.toDelete().map(({ id }) => id)).toEqual(['7']);
  expect(troubles).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^Cannot write .*WRITES=none$/)));
  close();
  expect(() => openLedger('x', file).ledger.intend(intent('a'))).toThrow(CannotRun);
});

test('a running run is distinguished from a killed one, and from another process with its id', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  if (child.pid === undefined) {
    throw new Error('No child');
  }
  const name = ledgerName('developer', new Date(), child.pid);
  expect(name).toMatch(/^developer-\d{8}T\d{6}-\d+-\d+$/);
  expect(isAlive(name)).toBe(true);
  expect(isAlive(name.replace(/\d+$/, '12'))).toBe(process.platform !== 'linux');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isAlive(name)).toBe(false);
  expect(isAlive('somebody-elses-file')).toBe(false);
  expect(isAlive(ledgerName('developer', new Date()))).toBe(false);
});

describe('a place in which no ledger can be written', () => {
  const place = (): string => join(newFolder(), '.ledger');

  test('is noticed before anything is created', () => {
    const [file, link, free] = [place(), place(), place()];
    writeFileSync(file, 'kept');
    symlinkSync('nowhere', link);
    for (const folder of [file, link]) {
      expect(() => tryLedgers(folder)).toThrow(
        /^Cannot write .*ledger, where a run records what it creates: .*WRITES=none$/,
      );
    }
    expect(() => leftLedgers(file)).toThrow(/^Cannot read .*: not a directory$/);
    openLedger('x', file).close();
    expect(readFileSync(file, 'utf8')).toBe('kept');
    tryLedgers(free);
    expect(readdirSync(free)).toEqual([]);
  });

  test('a folder, a link or a pipe is not used as the ledger', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'folder.jsonl'));
    symlinkSync('/etc/passwd', join(folder, 'link.jsonl'));
    execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
    expect(leftLedgers(folder)).toEqual([]);
  });
});

test('a ledger with unreadable lines is kept, and new entries overwrite none of them', () => {
  const place = newFolder();
  const path = join(place, 'x.jsonl');
  const entry = JSON.stringify({ number: 2, ...intent('real') });
  const odd = ['null', '[]', '17', '"text"', '{"number":1}', '{not json', '\u0000\u0000'];
  writeFileSync(path, [...odd, entry, ''].join('\n'));
  const { ledger, close } = openLedger('x', place);
  expect([ledger.unreadable, ledger.intend(intent('new')).number]).toEqual([odd.length, 3]);
  expect(ledger.toDelete().map(({ tag }) => tag)).toEqual(['new', 'real']);
  ledger.toDelete().forEach(ledger.remove);
  close();
  expect(existsSync(path)).toBe(true);
});

test('the ids of others are all kept, and lines that only look like theirs cannot be read', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `agt_${index}`);
  const lines: string[] = [];
  createLedger((line) => lines.push(line)).noteOthers('/v1/agents', ids);
  const odd = ['{"others":["agt_1"]}', '{"collection":"/v1/leads","others":"agt_1"}', '{"collection":"/v1/leads"}'];
  const later = createLedger(() => {}, [...lines, ...odd]);
  expect(ids.filter((id) => !later.isOther('/v1/agents', id))).toEqual([]);
  expect(later.unreadable).toBe(odd.length);
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CannotRun } from '../../../../../common/cannot-run.ts';
import { createLedger, type Intent } from '../../../../../suites/session/ledger/ledger.ts';
import { isAlive, ledgerName, leftLedgers, openLedger } from '../../../../../suites/session/ledger/ledger-file.ts';
import { newFolder } from '../../../../new-folder.ts';

const intent = (tag: string): Intent => ({
  api: 'developer',
  origin: 'http://127.0.0.1',
  collection: '/api/v1/developer/keys',
  keySetting: 'SANDBOX_API_KEY',
  tag,
});
const place = (): string => join(newFolder(), '.ledger');

test.each([0, 1, 90, 200])('a ledger whose end was cut off by %i characters has the other entries', (cut) => {
  const folder = place();
  const first = openLedger('x', folder);
  for (const tag of ['a', 'b', 'c']) {
    first.ledger.intend(intent(tag));
  }
  truncateSync(first.path, readFileSync(first.path).length - cut);
  const again = openLedger('x', folder).ledger;
  const tags = again.toDelete().map(({ tag }) => tag);
  expect(['cba', 'ba', 'a']).toContain(tags.join(''));
  expect(again.unreadable).toBe(0);
  again.intend(intent('d'));
  expect(openLedger('x', folder).ledger.toDelete()[0]?.tag).toBe('d');
});

test('each line is in the file before the call returns; a ledger without open entries leaves no file', () => {
  const { ledger, path, close } = openLedger('x', newFolder());
  expect(existsSync(path)).toBe(false);
  const entry = ledger.intend(intent('a'));
  expect(readFileSync(path, 'utf8')).toContain('"tag":"a"');
  ledger.note(entry, { id: '7' });
  expect(readFileSync(path, 'utf8')).toContain('"id":"7"');
  ledger.note(entry, { gone: true });
  close();
  expect(existsSync(path)).toBe(false);
});

test('a running run is distinguished from a killed one, and from another process with its id', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const name = ledgerName('developer', new Date(), child.pid);
  expect(name).toMatch(/^developer-\d{8}T\d{6}-\d+-\d+$/);
  expect(isAlive(name)).toBe(true);
  expect(isAlive(name.replace(/\d+$/, '12'))).toBe(process.platform !== 'linux');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const names = [name, 'somebody-elses-file', ledgerName('developer', new Date())];
  expect(names.map((one) => isAlive(one))).toEqual([false, false, false]);
});

test('a place in which no ledger can be written is noticed before anything is created', () => {
  const [file, link, free] = [place(), place(), place()];
  writeFileSync(file, 'kept');
  symlinkSync('nowhere', link);
  for (const folder of [file, link]) {
    expect(openLedger('x', folder).make).toThrow(/^Cannot write .*ledger, where a run records what .*WRITES=none$/);
  }
  expect(() => leftLedgers(file)).toThrow(/^Cannot read .*: not a directory$/);
  expect(() => openLedger('x', file).ledger.intend(intent('a'))).toThrow(CannotRun);
  const { make, close } = openLedger('x', free);
  make();
  close();
  expect(readdirSync(free)).toEqual([]);
});

test('if a line cannot be written, the trouble is told, and the ledger goes on in memory', () => {
  const file = place();
  writeFileSync(file, 'kept');
  const troubles: string[] = [];
  const { ledger, close } = openLedger('x', file, (why) => troubles.push(why));
  ledger.note(ledger.intend(intent('a')), { id: '7' });
  expect(ledger.toDelete().map(({ id }) => id)).toEqual(['7']);
  expect(troubles).toEqual(Array.from({ length: 2 }, () => expect.stringMatching(/^Cannot write .*WRITES=none$/)));
  close();
  expect(readFileSync(file, 'utf8')).toBe('kept');
});

test('a folder, a link or a pipe is not used as the ledger', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'folder.jsonl'));
  symlinkSync('/etc/passwd', join(folder, 'link.jsonl'));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  expect(leftLedgers(folder)).toEqual([]);
});

test('a ledger with unreadable lines is kept, and new entries overwrite none of them', () => {
  const folder = newFolder();
  const path = join(folder, 'x.jsonl');
  const entry = JSON.stringify({ number: 2, ...intent('real') });
  const lacking = '{"number":1,"collection":"/v1/agents"}';
  const odd = ['null', '[]', '17', '"text"', '{"number":1}', lacking, '{not json', '\u0000\u0000'];
  writeFileSync(path, [...odd, entry, ''].join('\n'));
  const { ledger, close } = openLedger('x', folder);
  expect([ledger.unreadable, ledger.intend(intent('new')).number]).toEqual([odd.length, 3]);
  expect(ledger.toDelete().map(({ tag }) => tag)).toEqual(['new', 'real']);
  ledger.toDelete().forEach((entry) => void ledger.note(entry, { gone: true }));
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

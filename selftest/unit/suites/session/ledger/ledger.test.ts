import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
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

test('a reopened ledger has the same entries, wherever the kill cut the file', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), (cut) => {
      const place = newFolder();
      const first = openLedger('x', place);
      const entries = ['a', 'b', 'c'].map((tag) => first.ledger.intend(intent(tag)));
      if (entries[0]) {
        first.ledger.identify(entries[0], 'id-a');
      }
      const length = readFileSync(first.path).length;
      truncateSync(first.path, Math.max(0, length - cut));
      const again = openLedger('x', place);
      const before = again.ledger.toDelete();
      for (const entry of before) {
        again.ledger.remove(entry);
      }
      expect(openLedger('x', place).ledger.toDelete()).toEqual([]);
      expect(before.every(({ tag, collection }) => ['a', 'b', 'c'].includes(tag) && collection !== undefined)).toBe(
        true,
      );
    }),
    { numRuns: 60 },
  );
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

test('lines that are not entries are skipped', () => {
  const place = newFolder();
  writeFileSync(join(place, 'x.jsonl'), 'null\n[]\n17\n"text"\n{"number":1}\n{not json\n');
  appendFileSync(join(place, 'x.jsonl'), `${JSON.stringify({ number: 2, ...intent('real') })}\n`);
  expect(
    openLedger('x', place)
      .ledger.toDelete()
      .map(({ tag }) => tag),
  ).toEqual(['real']);
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

test('a process that is killed while it writes leaves every line that it reported as written', async () => {
  const place = newFolder();
  const script = `import { openLedger } from ${JSON.stringify(resolve('suites/session/ledger/ledger-file.ts'))};
    const { ledger } = openLedger('killed', ${JSON.stringify(place)});
    for (let i = 0; ; i += 1) { const entry = ledger.intend(${JSON.stringify(intent('x'))}); ledger.identify(entry, String(i)); process.stdout.write(i + '\\n'); }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    if (said.split('\n').length > 30) {
      child.kill('SIGKILL');
    }
  });
  await once(child, 'close');
  const last = Number(said.trim().split('\n').at(-1));
  const ids = openLedger('killed', place)
    .ledger.toDelete()
    .map(({ id }) => Number(id));
  expect(leftLedgers(place)).toEqual(['killed']);
  for (let i = 0; i <= last; i += 1) {
    expect(ids).toContain(i);
  }
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
  const first = openLedger('x', place);
  const [, second] = ['a', 'b'].map((tag) => first.ledger.intend(intent(tag)));
  first.close();
  const [, ...lines] = readFileSync(first.path, 'utf8').split('\n');
  writeFileSync(first.path, ['\u0000\u0000', ...lines].join('\n'));
  const again = openLedger('x', place);
  expect(again.ledger.unreadable).toBe(1);
  expect(again.ledger.intend(intent('c')).number).toBe(3);
  for (const entry of again.ledger.toDelete()) {
    again.ledger.remove(entry);
  }
  again.close();
  expect([second?.number, existsSync(first.path)]).toEqual([2, true]);
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

import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { readEnvFile, refuseUnreadFile } from '../../../settings/env-file.ts';
import { readSettings } from '../../../settings/settings.ts';
import { newFile, newFolder } from '../../new-folder.ts';

const written = (text: string | Buffer): string => newFile('.env', text);
const link = join(newFolder(), '.env');
symlinkSync('/nowhere/.env', link);

test('the environment wins over the file, but an empty variable undoes nothing that it restricts, and leaves out a key', () => {
  const file = written(
    'WRITES=none\nSTRICT=1\nMAX_REQUESTS=50\nSEED="7" # lucky\nBASE_URL=https://a.example\nSANDBOX_API_KEY=svc_test_x\nLIVE_API_KEY=svc_live_x\n',
  );
  const { WRITES, STRICT, MAX_REQUESTS, LIVE_API_KEY, SEED } = readSettings(
    { WRITES: '', STRICT: '', MAX_REQUESTS: '', LIVE_API_KEY: '' },
    file,
  );
  expect([WRITES, STRICT, MAX_REQUESTS, LIVE_API_KEY, SEED]).toEqual(['none', '1', 50, undefined, 7]);
  expect(readSettings({ WRITES: 'all' }, file).WRITES).toBe('all');
});

test.for(['', 'NOTE="the BASE_URL: see the wiki"\n', 'SEED=7\nBASE_URL=\ndebug=\n'])(
  'a .env with %j is read',
  (text) => {
    expect(readEnvFile(written(text)).BASE_URL || undefined).toBeUndefined();
  },
);

const [noValue, noLines] = ['must be BASE_URL=VALUE', 'it sets nothing; make it a file of NAME=VALUE lines'];
test.for<[text: string, says: string]>([
  ['BASE_URL https://a.example', noValue],
  ['$env:BASE_URL = "https://a.example"', noValue],
  ['svc_test_4f9d8a7b6c5e4f3a2b1c', noLines],
  ['SANDBOX_API_KEY=svc_test_ab#cd0123456789', 'a # begins a comment; put the value in quotes'],
  ['SANDBOX_API_KEY=svc_test_0123456789\nabcdef0123', 'the next line sets nothing; write the value on one line'],
  ['STRICT: 0\nSTRICT=1', 'two lines set it, and differ; keep one'],
])('a .env that is lost in part is refused: %j', ([text, says]) => {
  const before = says === noLines ? '# a comment' : 'PROFILE=a # ours, see #1 and the wiki#urls';
  const attempt = (): unknown => readSettings({}, written(`${before}\n${text}\n`));
  expect(attempt).toThrow(/^Cannot read /);
  expect(attempt).toThrow(says);
});

test.for<[string, string, string]>([
  ['a link to nothing', link, 'no such file or directory'],
  ['a folder', tmpdir(), 'it is a folder'],
])('a .env that is %s is refused in one line', ([, file, says]) => {
  expect(() => readSettings({}, file)).toThrow(CannotRun);
  expect(() => readSettings({}, file)).toThrow(says);
});

test('a .env in the folder from which npm was started, and which it left, is named', () => {
  const folder = newFolder();
  expect(() => refuseUnreadFile(folder, '/elsewhere')).not.toThrow();
  writeFileSync(join(folder, '.env'), 'BASE_URL=https://a.example\n');
  expect(() => refuseUnreadFile(folder, '/elsewhere')).toThrow(/^Cannot tell what to judge: .*\.env was ignored/);
  expect(() => refuseUnreadFile(folder, folder)).not.toThrow();
  expect(() => refuseUnreadFile(undefined, folder)).not.toThrow();
});

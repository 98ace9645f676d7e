import { symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { readSettings } from '../../../settings/settings.ts';
import { newFolder } from '../../new-folder.ts';

test('an empty variable undoes nothing that .env restricts, and leaves out a key', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(
    file,
    'WRITES=none\nSTRICT=1\nMAX_REQUESTS=50\nBASE_URL=https://a.example\nSANDBOX_API_KEY=svc_test_x\nLIVE_API_KEY=svc_live_x\n',
  );
  const empty = { WRITES: '', STRICT: '', MAX_REQUESTS: '', LIVE_API_KEY: '' };
  const { WRITES, STRICT, MAX_REQUESTS, LIVE_API_KEY } = readSettings(empty, file);
  expect([WRITES, STRICT, MAX_REQUESTS, LIVE_API_KEY]).toEqual(['none', '1', 50, undefined]);
  expect(readSettings({ WRITES: 'all' }, file).WRITES).toBe('all');
});

test.for([
  'BASE_URL https://a.example',
  'BASE_URL',
  'export BASE_URL',
  'set BASE_URL=https://a.example',
  '$env:BASE_URL = "https://a.example"',
  '{"BASE_URL": "https://a.example"}',
])('the line %j of .env gives no value', (line) => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, `WRITES=none\n${line}\n`);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read BASE_URL in .*: its line must be BASE_URL=VALUE$/);
});

test.for(['svc_test_4f9d8a7b6c5e4f3a2b1c', '{}', '- a list'])('a .env that is only %j is refused', (text) => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, `# a comment\n${text}\n`);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read .*: it sets nothing; make it a file of NAME=VALUE lines/);
});

test.for(['', '# BASE_URL=https://a.example\n', 'NOTE="the BASE_URL: see the wiki"\n'])(
  'a .env with %j is read',
  (text) => {
    const file = join(newFolder(), '.env');
    writeFileSync(file, text);
    expect(readSettings({}, file).BASE_URL).toBeUndefined();
  },
);

test('a .env that is a link to nothing is refused', () => {
  const file = join(newFolder(), '.env');
  symlinkSync('/nowhere/.env', file);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read .*: no such file or directory/);
});

test('the environment wins over the file', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, 'TIMEOUT_MS=1\nSEED="7" # lucky\nWRITES=none\n');
  expect(readSettings({ TIMEOUT_MS: '2' }, file)).toMatchObject({ TIMEOUT_MS: 2, SEED: 7, WRITES: 'none' });
});

test.for([
  ['SANDBOX_API_KEY=svc_test_ab#cd0123456789', /a # begins a comment; put the value in quotes$/],
  ['SANDBOX_API_KEY=svc_test_0123456789\nabcdef0123', /the next line sets nothing; write the value on one line$/],
  ['SANDBOX_API_KEY=svc_test_0\nWRITES=all\nSANDBOX_API_KEY=svc_test_1', /two lines set it, and differ; keep one$/],
] as const)('a .env of which a part would be lost is refused: %j', ([text, says]) => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, `BASE_URL=https://a.example # ours, see #1 and the wiki#urls\n${text}\n`);
  expect(() => readSettings({}, file)).toThrow(/^Cannot read SANDBOX_API_KEY in /);
  expect(() => readSettings({}, file)).toThrow(says);
});

test('a .env that cannot be read gets one line', () => {
  expect(() => readSettings({}, tmpdir())).toThrow(
    /^Cannot read .+; make it a file of NAME=VALUE lines, or remove it$/,
  );
  expect(() => readSettings({}, tmpdir())).toThrow(CannotRun);
});

test('a .env in UTF-16, which holds no setting when it is read as UTF-8, is refused', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, Buffer.from('\ufeffWRITES=none\r\n', 'utf16le'));
  expect(() => readSettings({}, file)).toThrow(
    /^Cannot read .*: it is UTF-16; save it as UTF-8; make it a file of NAME=VALUE lines/,
  );
});

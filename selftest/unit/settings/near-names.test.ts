import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../../../contract/settings.ts';
import { refuseUnreadFile } from '../../../settings/env-file.ts';
import { nearSetting } from '../../../settings/near-names.ts';
import { readSettings } from '../../../settings/settings.ts';
import { newFolder } from '../../new-folder.ts';
import { usualVariables } from './usual-variables.ts';

/** What somebody may write for a setting. */
const misspelt: Readonly<Record<string, string>> = {
  BASE_URL: 'BASEURL base_url BASE-URL BASE_URI BASURL BASE_ULR',
  WORKSPACE_API_URL: 'WORKSPACE_URL',
  WORKSPACE_API_KEY: 'WORKSPACE_API_TOKEN',
  SANDBOX_API_KEY: 'SANDBOX_KEY API_KEY_SANDBOX SANBOX_API_KEY',
  WORKSPACE_SECOND_API_KEY: 'WORKSPACE_SECND_API_KEY',
  SEED: 'Seed',
  WRITES: 'WRITE',
  WAIVERS: 'WAIVER',
  TIMEOUT_MS: 'TIMEOUTMS',
  REPORTS_DIR: 'REPORT_DIR REPORTDIR',
  EXHAUST: 'EXHUAST',
};

test.for(
  Object.entries(misspelt).flatMap(([setting, names]) => names.split(' ').map((name) => [name, setting] as const)),
)('%s is nearly %s', ([name, setting]) => {
  expect(nearSetting(name)).toBe(setting);
  expect(() => readSettings({ [name]: 'x' }, 'no-such-file')).toThrow(`did you mean ${setting}?`);
});

test.for(['DEVELOPER_API_URL', 'DEVELOPER_URL', 'DEVELOPER_BASE_URL', 'developer-url'])(
  "%s is nearly BASE_URL where this is not set, and somebody else's where it is",
  (name) => {
    expect(() => readSettings({ [name]: 'x' }, 'no-such-file')).toThrow('did you mean BASE_URL?');
    expect(nearSetting(name, false)).toBeUndefined();
  },
);

test("a setting's own name is not reported as a typing error", () => {
  expect(settings.filter(({ name }) => nearSetting(name) !== undefined)).toEqual([]);
});

test('variables of CI systems, shells, tools and other applications are not taken for typing errors', () => {
  expect(
    usualVariables.flatMap((name) =>
      nearSetting(name, true) === undefined ? [] : [`${name}: ${nearSetting(name, true)}`],
    ),
  ).toEqual([]);
});

test('a name in .env is compared with the settings too, and the message names the file', () => {
  const file = join(newFolder(), '.env');
  writeFileSync(file, 'MY_WEBHOOK_SECRET=fine\nSTRCT=1\n');
  expect(() => readSettings({}, file)).toThrow(
    /^Unknown setting STRCT in \.env: did you mean STRICT\? Otherwise unset it$/,
  );
});

test('a .env in the folder from which npm was started, and which it left, is named', () => {
  const folder = newFolder();
  expect(() => refuseUnreadFile(folder, '/elsewhere')).not.toThrow();
  writeFileSync(join(folder, '.env'), 'BASE_URL=https://a.example\n');
  expect(() => refuseUnreadFile(folder, '/elsewhere')).toThrow(
    /^Cannot tell what to judge: .*\.env was ignored, because npm/,
  );
  expect(() => refuseUnreadFile(folder, folder)).not.toThrow();
  expect(() => refuseUnreadFile(undefined, folder)).not.toThrow();
});

import { expect, test } from 'vitest';
import { settings } from '../../../contract/settings.ts';
import { nearSetting } from '../../../settings/near-names.ts';
import { readSettings } from '../../../settings/settings.ts';
import { newFile } from '../../new-folder.ts';

/** Names of environment variables of CI systems, shells, tools and other applications that resemble a setting's. */
const usualVariables: readonly string[] = `
API_URL API_KEY API_BASE_URL API_TOKEN APP_URL APP_ENV APP_SECRET DATABASE_URL REDIS_URL MONGO_URL MONGODB_URI
SENTRY_DSN SECRET_KEY SECRET_KEY_BASE JWT_SECRET SESSION_SECRET PUBLIC_URL FRONTEND_URL BACKEND_URL SITE_URL
SERVER_URL SERVICE_URL ROOT_URL WEBHOOK_URL SLACK_WEBHOOK_URL STRIPE_API_KEY STRIPE_WEBHOOK_SECRET
GITHUB_WEBHOOK_SECRET OPENAI_API_KEY TEST_API_KEY TIMEOUT TIMEOUT_SECONDS RETRIES PORT LOG_LEVEL VERBOSE BASE_PATH
BASE_DIR BASE_IMAGE PLAYWRIGHT_BASE_URL CYPRESS_BASE_URL NEXT_PUBLIC_BASE_URL VITE_BASE_URL REPORTS OUTPUT_DIR
ARTIFACTS_DIR COVERAGE_DIR WORKSPACE WORKSPACE_TMP WORKSPACE_ID WORKSPACE_NAME WORKSPACE_DIR SANDBOX SANDBOX_ID
ENTERPRISE LIVE EVENT_NAME EVENT_PATH MAX_WORKERS MAX_RETRIES BUILD_URL JOB_URL CHANGE_URL DEPLOY_URL CI_API_V4_URL
CI_PROJECT_URL CI_SERVER_URL GITHUB_API_URL GITHUB_BASE_REF GITHUB_WORKSPACE BITBUCKET_WORKSPACE USER HOST HOSTNAME
NODE_ENV MODE TEST SHELL TERM EDITOR PAGER DISPLAY COMPOSE_PROFILES AWS_PROFILE HTTP_PROXY NO_PROXY K6_DURATION
`
  .trim()
  .split(/\s+/);

/** What somebody may write for a setting. */
const misspelt: Readonly<Record<string, string>> = {
  BASE_URL: 'BASEURL base_url BASE-URL BASE_URI BASURL BASE_ULR',
  SANDBOX_API_KEY: 'SANBOX_API_KEY sandbox.api-key SANDBOX_KEY',
  WORKSPACE_SECOND_API_KEY: 'WORKSPACE_SECND_API_KEY WORKSPACE_SECOND_KEY',
  WRITES: 'WRITE',
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

test('variables of other programs, and settings themselves, are not taken for typing errors', () => {
  expect(
    [...usualVariables, ...settings.map(({ name }) => name)].filter((name) => nearSetting(name) !== undefined),
  ).toEqual([]);
});

test('a name in .env is compared with the settings too', () => {
  expect(() => readSettings({}, newFile('.env', 'MY_WEBHOOK_SECRET=fine\nSTRCT=1\n'))).toThrow(
    /^Unknown setting STRCT: did you mean STRICT\? Otherwise unset it$/,
  );
});

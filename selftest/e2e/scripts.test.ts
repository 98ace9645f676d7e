import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';
import type { ClauseResult } from '../../results/verdict.ts';
import { start } from './run-suite.ts';
import { type Env, openStage } from './stage.ts';

/** Defects of many kinds that one deployment can have, each with the clause whose findings the scripts must show again. */
const deployments: readonly Env[] = [
  {
    'auth-query-unread': 'developer.auth.query',
    'scopes-ads-ads-audits-list-accepted': 'developer.scopes.ads',
    'errors-not-found-keys-rotate-gets-403': 'developer.errors.not-found',
    'routing-me-subscriptions-sandbox-gets-404': 'developer.routing.me-subscriptions',
    'keys-rotate-never-works': 'developer.keys.rotate',
    'workspace-agents-delete-readable': 'workspace.agents.delete',
    'workspace-bookings-cancel-gets-403': 'workspace.bookings.cancel',
  },
  {
    'auth-deleted-key-cached': 'developer.auth.deleted-key',
    'auth-invalid-key-reads-gets-403': 'developer.auth.invalid-key',
    'auth-missing-key-ads-health-score-accepted': 'developer.auth.missing-key',
    'ads-health-score-score-of-wrong-type': 'developer.ads.health-score',
    'errors-malformed-json-content-review-gets-500': 'developer.errors.malformed-json',
    'workspace-agents-get-gets-403': 'workspace.agents.get',
  },
  { 'auth-deleted-key-by-former-secret': 'developer.auth.deleted-key' },
];

const { serve } = openStage();
const run = promisify(execFile);

/** The output of a script about the judged call, which is the only one that it prints with headers. */
async function printed(script: string, env: Env): Promise<{ readonly status: number; readonly body: string }> {
  const { stdout } = await run('sh', ['-e', '-c', script], {
    env: { PATH: process.env.PATH, ...env },
    timeout: 20_000,
  });
  const [, code = '', body = ''] = /HTTP\/1\.1 (\d{3})[\s\S]*?\r\n\r\n([\s\S]*)$/.exec(stdout) ?? [];
  return { status: Number(code), body };
}

test.concurrent.for(deployments)(
  'the script of a finding, run unchanged, shows the defect: %o',
  async (defects, { expect }) => {
    // A run may use up the minute of a live key, and the scripts come within it: they make live keys with the sandbox key.
    // The minute of the sandbox key is used up too: with a fast clock the rest of it passes soon.
    const { LIVE_API_KEY: _, ...env } = await serve({ clockSpeed: 10, faults: Object.keys(defects) });
    const chosen = Object.values(defects);
    const { reports } = await start('cli/test.ts', ['-t', chosen.join('|')], env).ended;
    const { clauses } = JSON.parse(reports.get('conformance.json') ?? '{}') as { clauses: readonly ClauseResult[] };
    const failed = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(chosen));
    for (const { curl, response, place, actual } of failed.flatMap(({ findings }) => findings.slice(0, 3))) {
      const { status, body } = await printed(curl ?? '', env);
      expect([curl, status]).toEqual([curl, response?.status]);
      if (place?.startsWith('/') && /^"\w+"$/.test(actual ?? '')) {
        expect(body).toContain(actual);
      }
    }
  },
);

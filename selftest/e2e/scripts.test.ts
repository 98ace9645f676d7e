import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClauseResult, Finding } from '../../results/verdict.ts';
import { start } from './run-suite.ts';
import { type Env, openStage } from './stage.ts';

/** Defects of many kinds, each with the clauses whose findings the scripts must show again. */
const defects = [
  ['auth-deleted-key-cached', 'developer.auth.deleted-key'],
  ['auth-invalid-key-reads-gets-403', 'developer.auth.invalid-key'],
  ['auth-query-unread', 'developer.auth.query'],
  ['auth-missing-key-ads-health-score-accepted', 'developer.auth.missing-key'],
  ['scopes-ads-ads-audits-list-accepted', 'developer.scopes.ads'],
  ['errors-code-403-other', 'developer.(errors.code|scopes.investor)'],
  ['errors-not-found-keys-rotate-gets-403', 'developer.errors.not-found'],
  ['ads-health-score-score-of-wrong-type', 'developer.ads.health-score'],
  ['routing-me-sandbox-gets-404', 'developer.routing.me'],
  ['errors-malformed-json-content-review-gets-500', 'developer.errors.malformed-json'],
  ['keys-rotate-gets-500', 'developer.keys.rotate'],
  ['keys-rotate-never-works', 'developer.keys.rotate'],
  ['workspace-agents-get-gets-403', 'workspace.agents.get'],
  ['workspace-agents-delete-readable', 'workspace.agents.delete'],
  ['workspace-bookings-cancel-gets-403', 'workspace.bookings.cancel'],
] as const;

const { serve } = openStage();
const environments = new Map<string, Env>();

beforeAll(async () => {
  for (const [fault] of defects) {
    environments.set(fault, await serve({ faults: [fault] }));
  }
});

/** The findings of a run in which these clauses failed, each with its script. */
async function findingsOf(fault: string, clauses: string): Promise<readonly Finding[]> {
  const env = environments.get(fault) ?? {};
  const { reports } = await start('cli/test.ts', ['-t', clauses], env).ended;
  const report = JSON.parse(reports.get('conformance.json') ?? '{}') as { clauses: readonly ClauseResult[] };
  return report.clauses
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .flatMap(({ findings }) => findings.slice(0, 3));
}

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

describe.concurrent('the script of a finding, run unchanged, shows the defect', { timeout: 120_000 }, () => {
  test.for(defects)('%s', async ([fault, clauses]) => {
    const findings = await findingsOf(fault, clauses);
    expect(findings.length).toBeGreaterThan(0);
    for (const { curl, response, place, actual } of findings) {
      const { status, body } = await printed(curl ?? '', environments.get(fault) ?? {});
      expect([curl, status]).toEqual([curl, response?.status]);
      if (place?.startsWith('/') && /^"\w+"$/.test(actual ?? '')) {
        expect(body).toContain(actual);
      }
    }
  });
});

import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readReport, runProcess } from './process.ts';
import type { Target } from './target.ts';
import { mostMs, type Tool } from './tool.ts';

const root = resolve(import.meta.dirname, '../..');

interface Report {
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
}

/** The settings for the target's API only, without the enterprise key, since no other tool gets one. */
function settingsFor({ api, settings }: Target): Record<string, string> {
  const other = api === 'developer' ? /^(WORKSPACE|ENTERPRISE)_/ : /^(BASE_URL$|SANDBOX_|LIVE_|ENTERPRISE_)/;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !other.test(name)));
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

export const ours: Tool = {
  name: 'this suite',
  version: `this suite ${version}`,
  notes: [
    'Run with the settings that `npm run reference` prints, without the enterprise key, and one API at a time.',
    'A failure is a clause with the verdict fail or warn; a warning leaves the exit status at 0.',
    'Most of its wall time is waiting: for effects to appear (KEY_SETTLE_MS), for events that must not come (EVENT_WAIT_MS), and for limit windows to end.',
  ],
  command: () => 'npm test',
  prepare: () => Promise.resolve(),
  async run(target, folder) {
    const report = join(folder, 'reports/conformance.json');
    rmSync(report, { force: true });
    const env = { ...settingsFor(target), REPORTS_DIR: join(folder, 'reports') };
    const ended = await runProcess(process.execPath, [join(root, 'cli/test.ts')], { cwd: folder, env, mostMs });
    const { clauses } = readReport<Report>(report, { clauses: [] });
    return {
      status: ended.status,
      durationMs: ended.durationMs,
      failures: clauses.filter(({ verdict }) => /^(fail|warn|broken)$/.test(verdict)).map(({ id }) => id),
    };
  },
};

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CannotRun } from '../../common/cannot-run.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Arguments } from './arguments.ts';
import { k6Environment } from './environment.ts';
import { findK6 } from './find-k6.ts';
import { chooseKeys, type KeyMaker } from './keys.ts';
import { makePlan } from './make-plan.ts';

const run = promisify(execFile);

/** Makes no keys: those that a run makes are deleted at its end, while an archive runs later, with given keys. */
const noMaker: KeyMaker = {
  make: () => Promise.resolve({ why: 'an archive runs with given keys only' }),
  close: () => Promise.resolve([]),
};

/**
 * Packs a script with everything that it imports into an archive for `k6 run`, and writes its plan, the value for
 * LOAD_PLAN, to FILE.plan.json. Neither has a key: instances get keys in the environment. Throws CannotRun.
 */
export async function packArchive(
  options: Arguments,
  settings: Settings,
  say: (line: string) => void,
): Promise<number> {
  const archive = resolve(options.archive ?? '');
  const keys = await chooseKeys(settings, options, noMaker);
  if (keys.subjects.length === 0) {
    throw new CannotRun(
      `Cannot pack ${options.script}: ${keys.skipped.map(({ label, why }) => `${label}: ${why}`).join('; ') || 'no key is set'}`,
    );
  }
  const plan = JSON.stringify(makePlan(settings, options, keys.subjects, {}, Date.now()));
  const k6 = await findK6({ env: process.env, say });
  const script = fileURLToPath(new URL(`../scripts/${options.script}.ts`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'load-archive-'));
  const config = join(folder, 'config');
  writeFileSync(config, '{}');
  const env = k6Environment(process.env, { plan, summary: '', config, secrets: {} });
  try {
    // Packing needs the plan in the environment. Passed with `-e` instead, it would become part of the archive's
    // metadata.
    await run(k6.path, ['archive', '-O', archive, '--include-system-env-vars', '--exclude-env-vars', script], {
      env,
      timeout: 60_000,
    });
    writeFileSync(`${archive}.plan.json`, `${plan}\n`);
  } catch (error) {
    throw new CannotRun(
      `Cannot pack ${options.script}: ${String((error as { stderr?: string }).stderr ?? error)
        .trim()
        .split('\n')
        .at(-1)}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(
    `${archive}: run it with k6, LOAD_PLAN set to the text of ${archive}.plan.json, and the keys in ${Object.keys(keys.secrets).join(', ')}; then judge the instances' logs with --traces`,
  );
  return 0;
}

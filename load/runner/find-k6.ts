import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CannotRun } from '../../common/cannot-run.ts';

const run = promisify(execFile);

/** The version that load/k6/go.mod pins, and how every version begins that the scripts run on. */
const pinned = 'v2.2.0';
const major = 'v2';

const moduleFolder = fileURLToPath(new URL('../k6/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../.cache/', import.meta.url));

/** The path of a file, or `k6` for the one on PATH, and its version. */
export type K6 = Awaited<ReturnType<typeof findK6>>;

interface Means {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly cache?: string;
}

/** The version in output such as `k6 v2.2.0 (go1.26.8, linux/amd64)`; null if there is no k6 that runs here. */
async function versionOf(path: string, env: Means['env']): Promise<string | null> {
  try {
    const own = { PATH: env.PATH, HOME: env.HOME, SystemRoot: env.SystemRoot, K6_NO_USAGE_REPORT: 'true' };
    const { stdout } = await run(path, ['version'], { timeout: 20_000, env: own });
    return /^k6(?:\.exe)? (v\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Finds k6: the one that K6_PATH names, else the one on PATH if it has the right version, else one that was built earlier;
 * else it builds the pinned version with Go. Throws CannotRun, with how to get one.
 */
export async function findK6({ env, say, cache = cacheFolder }: Means) {
  const installed = env.K6_PATH || 'k6';
  const version = await versionOf(installed, env);
  if (version?.startsWith(`${major}.`)) {
    return { path: installed, version };
  }
  if (env.K6_PATH) {
    const what = version === null ? 'not a k6 that runs here' : `k6 ${version}`;
    throw new CannotRun(`Cannot use K6_PATH: ${installed} is ${what}; the scripts need ${major}`);
  }
  // The file must be named k6: asked for its version, k6 begins with the name of its file.
  const path = join(cache, pinned, process.platform === 'win32' ? 'k6.exe' : 'k6');
  if ((await versionOf(path, env)) !== pinned) {
    await build(path, version === null ? '' : ` (the one on PATH is ${version}; the scripts need ${major})`, {
      env,
      say,
    });
  }
  return { path, version: pinned };
}

/** Builds the pinned k6. Two runs at once each build one; the later one replaces the other, which is the same. */
async function build(target: string, why: string, { env, say }: Means): Promise<void> {
  say(`Building k6 ${pinned} from load/k6/go.mod${why}: about a minute, once`);
  const temporary = `${target}.${randomUUID()}.tmp`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    await run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', temporary, 'go.k6.io/k6/v2'], {
      cwd: moduleFolder,
      timeout: 900_000,
      env: { ...env },
      maxBuffer: 10_000_000,
    });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    const said = String(stderr ?? error).trim();
    throw new CannotRun(
      code === 'ENOENT'
        ? `Cannot find k6${why}, nor Go to build it with: install k6 ${major} (https://grafana.com/docs/k6/latest/set-up/install-k6/) or Go 1.25 (https://go.dev/dl/), or set K6_PATH`
        : `Cannot build k6 ${pinned} with Go: ${said.split('\n').at(-1)?.slice(0, 300)}; install k6 ${major} and put it on PATH, or set K6_PATH`,
    );
  }
}

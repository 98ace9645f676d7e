import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CannotRun } from '../../common/cannot-run.ts';

const run = promisify(execFile);

/** The version that load/k6/go.mod pins, and the major version whose scripts these are. */
const pinned = 'v2.2.0';
const major = 2;

const moduleFolder = fileURLToPath(new URL('../k6/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../.cache/', import.meta.url));

export interface K6 {
  readonly path: string;
  readonly version: string;
}

/** What the search stands on; tests give their own. */
interface Means {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly cache?: string;
}

/** `k6 v2.2.0 (go1.26.8, linux/amd64)`: the version, or null where that file is not a k6 that runs here. */
async function versionOf(path: string, env: Means['env']): Promise<string | null> {
  try {
    const { stdout } = await run(path, ['version'], {
      timeout: 20_000,
      env: { PATH: env.PATH, HOME: env.HOME, K6_NO_USAGE_REPORT: 'true' },
    });
    return /^k6(?:\.exe)? (v\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

const fits = (version: string): boolean => version.startsWith(`v${major}.`);

/** K6_PATH is meant: what it names is taken or refused, never passed over. */
async function fromSetting(path: string, env: Means['env']): Promise<K6> {
  const version = await versionOf(path, env);
  if (version === null) {
    throw new CannotRun(`Cannot use K6_PATH: ${path} is no k6 that runs here`);
  }
  if (!fits(version)) {
    throw new CannotRun(`Cannot use K6_PATH: ${path} is k6 ${version}, and the scripts need k6 v${major}`);
  }
  return { path, version };
}

const onPath = (env: Means['env'], name: string): string[] =>
  (env.PATH ?? '')
    .split(':')
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .filter((file) => existsSync(file));

/**
 * Finds a k6: K6_PATH, then a fitting one on PATH, then the one built earlier, and otherwise builds the pinned one with
 * Go. Throws CannotRun, saying how to get one.
 */
export async function findK6({ env, say, cache = cacheFolder }: Means): Promise<K6> {
  if (env.K6_PATH) {
    return fromSetting(env.K6_PATH, env);
  }
  const passedOver: string[] = [];
  for (const path of onPath(env, 'k6')) {
    const version = await versionOf(path, env);
    if (version !== null && fits(version)) {
      return { path, version };
    }
    if (version !== null) {
      passedOver.push(`${path} is k6 ${version}`);
    }
  }
  // Its own name is what k6 calls itself when it is asked for its version.
  const built = join(cache, pinned, 'k6');
  const version = existsSync(built) ? await versionOf(built, env) : null;
  if (version === pinned) {
    return { path: built, version };
  }
  rmSync(built, { force: true });
  return oneAtATime(built, () => build(built, passedOver, { env, say }));
}

/** The longest that a build may take: an older lock was left by one that was killed. */
const buildBoundMs = 900_000;

/** Of several runs that find no k6 one builds it, and the others wait for that one's. */
async function oneAtATime(built: string, make: () => Promise<K6>): Promise<K6> {
  const lock = `${built}.lock`;
  mkdirSync(dirname(built), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > buildBoundMs) {
        rmSync(lock, { recursive: true, force: true });
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
    }
  }
  try {
    return existsSync(built) ? { path: built, version: pinned } : await make();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function build(target: string, passedOver: readonly string[], { env, say }: Means): Promise<K6> {
  const why = passedOver.length > 0 ? ` (${passedOver.join(', ')}; the scripts need v${major})` : '';
  if (onPath(env, 'go').length === 0) {
    throw new CannotRun(
      `Cannot find k6${why}, nor Go to build it with: install k6 v${major} (https://grafana.com/docs/k6/latest/set-up/install-k6/) or Go 1.25 (https://go.dev/dl/), or set K6_PATH`,
    );
  }
  say(`Building k6 ${pinned} from load/k6/go.mod${why}: about a minute the first time, and never again`);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', temporary, 'go.k6.io/k6/v2'], {
      cwd: moduleFolder,
      timeout: buildBoundMs,
      env: { ...env },
      maxBuffer: 10_000_000,
    });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    const last =
      String((error as { stderr?: string }).stderr ?? error)
        .trim()
        .split('\n')
        .at(-1) ?? '';
    throw new CannotRun(
      `Cannot build k6 ${pinned} with Go: ${last.slice(0, 300)}; install k6 v${major} and put it on PATH, or set K6_PATH`,
    );
  }
  return { path: target, version: pinned };
}

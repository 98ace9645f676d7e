import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CannotRun } from '../../common/cannot-run.ts';

const run = promisify(execFile);

/** The version that load/k6/go.mod pins, and the major version that the scripts need. */
const pinned = 'v2.2.0';
const major = 2;

const moduleFolder = fileURLToPath(new URL('../k6/', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../.cache/', import.meta.url));

export interface K6 {
  readonly path: string;
  readonly version: string;
}

interface Means {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly cache?: string;
}

/**
 * The version of a k6, from output such as `k6 v2.2.0 (go1.26.8, linux/amd64)`; null if the file is not a k6 that runs
 * here.
 */
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

/** The k6 that K6_PATH names. Throws CannotRun if it cannot be used, since the user wants this one. */
async function fromSetting(path: string, env: Means['env']): Promise<K6> {
  const version = await versionOf(path, env);
  if (version === null) {
    throw new CannotRun(`Cannot use K6_PATH: ${path} is not a k6 that runs here`);
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
 * Finds k6: the one that K6_PATH names, else one on PATH with the right version, else one that was built earlier; else
 * it builds the pinned version with Go. Throws CannotRun, with how to get one.
 */
export async function findK6({ env, say, cache = cacheFolder }: Means): Promise<K6> {
  if (env.K6_PATH) {
    return fromSetting(env.K6_PATH, env);
  }
  const unusable: string[] = [];
  for (const path of onPath(env, 'k6')) {
    const version = await versionOf(path, env);
    if (version !== null && fits(version)) {
      return { path, version };
    }
    if (version !== null) {
      unusable.push(`${path} is k6 ${version}`);
    }
  }
  // The file must be named k6: asked for its version, k6 begins with the name of its file.
  const built = join(cache, pinned, 'k6');
  const version = existsSync(built) ? await versionOf(built, env) : null;
  if (version === pinned) {
    return { path: built, version };
  }
  rmSync(built, { force: true });
  return oneAtATime(built, () => build(built, unusable, { env, say }));
}

/** The longest time that a build may take. An older lock was left by a process that was killed. */
const buildBoundMs = 900_000;

/** Lets only one of several runs build k6, while the others wait for it. */
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

async function build(target: string, unusable: readonly string[], { env, say }: Means): Promise<K6> {
  const why = unusable.length > 0 ? ` (${unusable.join(', ')}; the scripts need v${major})` : '';
  if (onPath(env, 'go').length === 0) {
    throw new CannotRun(
      `Cannot find k6${why}, nor Go to build it with: install k6 v${major} (https://grafana.com/docs/k6/latest/set-up/install-k6/) or Go 1.25 (https://go.dev/dl/), or set K6_PATH`,
    );
  }
  say(`Building k6 ${pinned} from load/k6/go.mod${why}: about a minute, once`);
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

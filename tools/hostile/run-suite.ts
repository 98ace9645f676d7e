import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** A run of the suite that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly console: string;
  readonly reports: ReadonlyMap<string, string>;
  readonly seconds: number;
}

export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'hostile-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/**
 * Runs a script of the project as its npm script does, with these settings only. `onStart` gets a function that kills
 * it; after `mostSeconds` it is killed in any case.
 */
export async function runScript(
  script: string,
  options: {
    readonly args?: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly mostSeconds: number;
    readonly onStart?: (kill: () => void) => void;
  },
): Promise<Ended> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, script), ...(options.args ?? [])], {
    cwd: options.cwd,
    env: { PATH: process.env.PATH, ...options.env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), options.mostSeconds * 1_000);
  options.onStart?.(() => child.kill('SIGKILL'));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
    child.on('error', fail);
    child.on('close', (...end) => done(end));
  });
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1_000;
  return { code, signal, console: output, reports: reportsIn(options.cwd), seconds };
}

/** The reports and ledgers of a run, by name. */
const reportsIn = (folder: string): ReadonlyMap<string, string> =>
  new Map([...filesIn(join(folder, 'reports/latest')), ...filesIn(join(folder, '.ledger'))]);

function filesIn(folder: string): (readonly [string, string])[] {
  try {
    return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  } catch {
    return [];
  }
}

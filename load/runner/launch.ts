import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Line, Plan } from '../seam/plan.ts';
import { k6Environment } from './environment.ts';
import type { K6 } from './find-k6.ts';
import { followLines } from './follow-lines.ts';

/** The outcome of one k6 process. */
export interface Instance {
  /** The exit status; null if it was killed. */
  readonly exitCode: number | null;
  /** Set if it was killed because it did not begin the script, or did not end, in time. */
  readonly overdue: 'start' | 'end' | null;
  readonly lines: readonly Line[];
  /** Text in the trace that is not one of its lines. */
  readonly strayText: string;
  /** The end of what k6 wrote to stderr. */
  readonly stderr: string;
  /** The text of the summary file; null if there is none. */
  readonly summary: string | null;
}

interface Launch {
  readonly k6: K6;
  readonly plan: Plan;
  readonly secrets: Readonly<Record<string, string>>;
  /** A temporary folder for this run. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLine: (line: Line, instance: number) => void;
  /** Aborted when the user wants to stop. k6 is then interrupted, and later killed. */
  readonly signal: AbortSignal;
}

/** A script that has not begun after this time never will: k6 2.2 loops for ever on some syntax. */
const startBoundMs = 60_000;
const graceMs = 8_000;

const scriptFile = (plan: Plan): string =>
  fileURLToPath(new URL(`../scripts/${plan.script}${extname(import.meta.filename)}`, import.meta.url));

/** The command-line arguments of one instance, which never include a key. */
function argumentsOf(plan: Plan, trace: string, index: number, count: number): string[] {
  const inner = Array.from({ length: count - 1 }, (_, edge) => `${edge + 1}/${count}`);
  const sequence = ['0', ...inner, '1'];
  const segment =
    count === 1
      ? []
      : [
          '--execution-segment',
          `${sequence[index]}:${sequence[index + 1]}`,
          '--execution-segment-sequence',
          sequence.join(','),
          // Thresholds would see one instance's share only. The merged trace is judged instead.
          '--no-thresholds',
        ];
  return [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--log-format=raw',
    `--console-output=${trace}`,
    ...segment,
    scriptFile(plan),
  ];
}

/** Runs one instance to its end. Never rejects. */
export async function launch(given: Launch, index: number, count: number): Promise<Instance> {
  const at = (name: string): string => join(given.folder, `${name}-${index}`);
  const files = { trace: at('trace'), summary: at('summary'), config: at('config') };
  writeFileSync(files.config, '{}');
  writeFileSync(files.trace, '');
  const env = k6Environment(given.env, {
    plan: JSON.stringify(given.plan),
    summary: files.summary,
    config: files.config,
    secrets: given.secrets,
  });
  const child = spawn(given.k6.path, argumentsOf(given.plan, files.trace, index, count), {
    cwd: given.folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    // In a process group of its own, k6 does not get the terminal's Ctrl-C; this process gets it, and then interrupts
    // k6.
    detached: true,
  });
  const lines: Line[] = [];
  const follower = followLines(files.trace, (line) => {
    lines.push(line);
    given.onLine(line, index);
  });
  const [end, stderr] = await Promise.all([ended(child, given, () => lines.length > 0), tailOf(child)]);
  const strayText = follower.close();
  return { ...end, lines, strayText, stderr, summary: readIfThere(files.summary) };
}

function readIfThere(file: string): string | null {
  try {
    return statSync(file).size > 20_000_000 ? null : readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

async function tailOf(child: ChildProcess): Promise<string> {
  let tail = '';
  for await (const chunk of child.stderr ?? []) {
    tail = (tail + String(chunk)).slice(-8000);
  }
  return tail;
}

/** Waits until the process ends. Ends it if that takes too long, or if the user stops the run. */
function ended(
  child: ChildProcess,
  { plan, signal }: Launch,
  begun: () => boolean,
): Promise<Pick<Instance, 'exitCode' | 'overdue'>> {
  return new Promise((resolve) => {
    let overdue: Instance['overdue'] = null;
    const timers: NodeJS.Timeout[] = [];
    const after = (ms: number, act: () => void): void => {
      timers.push(setTimeout(act, ms));
    };
    const stop = (): void => {
      child.kill('SIGINT');
      after(graceMs, () => {
        child.kill('SIGKILL');
      });
    };
    after(startBoundMs, () => {
      if (!begun()) {
        overdue = 'start';
        child.kill('SIGKILL');
      }
    });
    after(startBoundMs + plan.boundMs + graceMs, () => {
      overdue = 'end';
      stop();
    });
    const finish = (exitCode: number | null): void => {
      for (const timer of timers) {
        clearTimeout(timer);
      }
      signal.removeEventListener('abort', stop);
      resolve({ exitCode, overdue });
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) {
      stop();
    }
    child.once('error', () => {
      finish(null);
    });
    child.once('exit', (code) => {
      finish(code);
    });
  });
}

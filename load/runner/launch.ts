// One k6 process, from its arguments and environment to its end, and what it recorded.
import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CannotRun } from '../../common/cannot-run.ts';
import { member, parseJson } from '../../common/json.ts';
import { settings as table } from '../../contract/settings.ts';
import type { Plan } from '../seam/make-plan.ts';
import type { Variables } from '../seam/plan.ts';
import type { Judged, Line } from '../seam/trace.ts';
import type { K6 } from './find-k6.ts';

/** The outcome of a k6 process: its exit status (null if it was killed), the trace, and the end of k6's own log. */
export type Ended = Awaited<ReturnType<typeof launch>>;

interface Launch {
  readonly k6: K6;
  readonly plan: Plan;
  /** The variables of the script, and the user's environment. */
  readonly variables: Variables;
  readonly env: Variables;
  /** The user's own options for k6. */
  readonly options: readonly string[];
  readonly onLine: (line: Line) => void;
  /** Aborted when the user wants to stop. k6 is then interrupted, and later killed. */
  readonly signal: AbortSignal;
}

/**
 * The environment of k6: the user's own, with K6_* for outputs, dashboards and tags, but without other settings' keys. k6
 * reports no usage, fetches no extensions and shows its dashboard on this machine only, unless the user says otherwise.
 */
export function k6Environment({ env, variables }: Pick<Launch, 'env' | 'variables'>): NodeJS.ProcessEnv {
  const isSetting = (name: string): boolean => name.startsWith('LOAD_') || table.some((one) => one.name === name);
  return {
    K6_NO_USAGE_REPORT: 'true',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    K6_WEB_DASHBOARD_HOST: '127.0.0.1',
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !isSetting(name))),
    ...variables,
    LOAD_TRACE: '1',
  };
}

const scriptFile = ({ script }: Plan): string =>
  fileURLToPath(new URL(`../scripts/${script}${extname(import.meta.filename)}`, import.meta.url));

/** How long an interrupted k6 may take to write its last lines. */
const graceMs = 8_000;
const mostLog = 20;

/** Runs k6 to its end. Throws CannotRun if it cannot be started, or refuses what the user gave it. */
export async function launch(given: Launch) {
  const { k6, plan, options, signal } = given;
  // Of an option that is given twice, k6 takes the last: the trace is read from the log.
  const own = ['--quiet', '--no-color', '--log-output=stderr', '--log-format=raw', '--console-output='];
  const child = spawn(k6.path, ['run', ...options, ...own, scriptFile(plan)], {
    env: k6Environment(given),
    // Whoever gives k6 options wants to see what it says. Our own report alone goes to stdout.
    stdio: ['ignore', options.length > 0 ? 2 : 'ignore', 'pipe'],
    // In a process group of its own, k6 does not get the terminal's Ctrl-C; this process gets it, and interrupts k6.
    detached: process.platform !== 'win32',
  });
  const lines: Line[] = [];
  const log: string[] = [];
  createInterface({ input: child.stderr as Readable }).on('line', (text) => {
    const line = parseJson(text);
    if (typeof member(line, 't') === 'string') {
      lines.push(line as Line);
      given.onLine(line as Line);
    } else {
      log.splice(0, log.length - mostLog + 1);
      log.push(text);
    }
  });
  const closed = Promise.withResolvers<number | null>();
  child.once('error', (error) => closed.reject(new CannotRun(`Cannot run k6: ${error.message}`)));
  child.once('close', closed.resolve);
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGINT');
    killing = setTimeout(() => child.kill('SIGKILL'), graceMs);
  };
  signal.addEventListener('abort', stop);
  if (signal.aborted) {
    stop();
  }
  try {
    const exitCode = await closed.promise;
    const isTold = options.length > 0 || Object.keys(given.env).some((name) => name.startsWith('K6_'));
    if (exitCode !== 0 && lines.length === 0 && isTold && !signal.aborted) {
      // A value may be a token.
      const names = options.filter((option) => option.startsWith('-')).map((option) => option.split('=')[0]);
      const said =
        log.findLast((line) => /^\S/.test(line))?.replace(/^time=.*?msg="(.*)"$/, '$1') ?? `status ${exitCode}`;
      throw new CannotRun(`Cannot run k6 with ${names.join(' ') || 'the K6_* variables that are set'}: ${said}`);
    }
    return { exitCode, lines, log };
  } finally {
    clearTimeout(killing);
    signal.removeEventListener('abort', stop);
  }
}

/** What a run recorded. */
export type Trace = Readonly<ReturnType<typeof collect>>;

const of = <T extends Line['t']>(lines: readonly Line[], kind: T): Extract<Line, { t: T }>[] =>
  lines.filter((line): line is Extract<Line, { t: T }> => line.t === kind);

/** Takes in what k6 wrote, and verifies how it ended against the plan and the verdicts. */
export function collect({ lines, log, exitCode }: Ended, { skipped, subjects }: Plan) {
  const bySubject = Map.groupBy(of(lines, 'call'), ({ subject }) => subject);
  /** The calls by the label of the key that was tried, in the order of sending. */
  const samples = new Map(
    [...bySubject].map(([subject, own]) => [
      subject,
      own.map(({ sample }) => sample).sort((a, b) => a.sentAt - b.sentAt),
    ]),
  );
  /** What the calls show, by the same labels; a key whose script was cut off has nothing. */
  const judged = new Map(of(lines, 'judged').map((line): [string, Judged] => [line.subject, line]));
  const verdicts = [...judged.values()].flatMap(({ parts }) => parts.map(({ verdict }) => verdict));
  // 99 means that thresholds were crossed, as our own are where a clause fails.
  const isCrossed = verdicts.includes('fails') || verdicts.includes('undecided') || skipped.length > 0;
  const said = (log.find((line) => line.includes('the script threw')) ?? log.at(-1) ?? '').slice(0, 300);
  const found: readonly (readonly [isFound: boolean, defect: string])[] = [
    [exitCode !== 0 && exitCode !== 99, `k6 ended with status ${exitCode ?? 'none'}: ${said}`],
    [exitCode === 99 && !isCrossed, `k6 ended with status 99, and no clause failed: ${said}`],
    [judged.size !== subjects.length, `${judged.size} of ${subjects.length} keys were judged: ${said}`],
  ];
  /** Why the run proves nothing: an exception, a key that was not judged, an end of k6 that no verdict explains. */
  const defects = found.flatMap(([isFound, defect]) => (isFound ? [defect] : []));
  return { samples, judged, defects };
}

import { CannotRun } from '../../common/cannot-run.ts';
import { capital } from '../../reports/text.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { withoutUser } from '../../settings/advice.ts';
import { refuseUnreadFile } from '../../settings/env-file.ts';
import { proxyFor } from '../../settings/proxies.ts';
import { readGiven, reportsFolder, type Settings, settingsOf } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { conductRun } from '../../suites/run/conduct-run.ts';
import { createHalt, type Halt } from '../../suites/run/halt.ts';
import { newRunRecord, type RunRecord, runOf } from '../../suites/run/run-record.ts';
import { select } from '../../suites/run/selection.ts';
import type { TargetRun } from '../../suites/run/target-run.ts';
import type { CallBook } from '../../suites/session/pace/call-book.ts';
import { say } from '../command.ts';
import { suites } from '../suites.ts';
import { type Arguments, parseArguments } from './arguments.ts';
import { earlierRun } from './earlier-run.ts';
import { listText } from './list.ts';
import { type Progress, showProgress } from './progress.ts';
import { finish, giveUp, write } from './report-run.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** `npm test`: judges the deployment that the settings name. Prints, and returns the exit status. */
export async function runTests(argv: readonly string[]): Promise<number> {
  const record = newRunRecord(new Date(), reportsFolder(process.env));
  const halt = createHalt();
  stopOnSignals(halt);
  try {
    const given = await parseArguments(argv);
    if (given === null) {
      return 0;
    }
    if (given.list) {
      process.stdout.write(listText(select(given.pattern, given.filters, ['developer', 'workspace'])));
      return 0;
    }
    await judge(given, record, halt);
    return finish(record, given);
  } catch (error) {
    // A run that is stopped during its preparation throws an error because of that; the reason of the stop is what
    // matters.
    const isStopped = halt.reason !== null && !(error instanceof CannotRun);
    return giveUp(record, isStopped ? new CannotRun(capital(halt.reason ?? '')) : error);
  }
}

async function judge(commandLine: Arguments, record: RunRecord, halt: Halt): Promise<void> {
  const given = readGiven();
  record.folder = reportsFolder(given.env);
  const settings = settingsOf(given);
  if (targetsOf(settings).length === 0) {
    refuseUnreadFile(process.env.INIT_CWD, process.cwd());
    say('No deployment of yours is judged, only the built-in reference: set BASE_URL or WORKSPACE_API_URL');
  }
  sayProxies(settings);
  await sayWithoutEffect(commandLine);
  record.before = earlierRun(settings.REPORTS_DIR);
  const screen = commandLine.ownReporters ? { write: () => true } : process.stderr;
  let progress: Progress | null = null;
  await conductRun(
    {
      arguments: commandLine,
      suites,
      // The reference is loaded only if it is judged.
      openEmbedded: async (own) => (await import('./embedded.ts')).openEmbedded(own),
      halt,
      record,
      // If the run is killed, this report remains.
      onPrepared: () => {
        const trouble = 'the run did not finish: it was killed or is still running';
        write(runOf({ ...record, trouble }, new Date()), record);
      },
      onJudging: (judged) => {
        progress = showProgress(watch(record, judged), screen);
        return progress.stop;
      },
      onResult: (result) => progress?.result(result, failsTheRun(result, record)),
    },
    settings,
  );
}

/** Says through which proxies the calls go. Throws CannotRun where the environment names one wrongly. */
function sayProxies(settings: Settings): void {
  for (const { origin, setting } of targetsOf(settings)) {
    const proxy = proxyFor(origin);
    if (proxy !== null) {
      say(`Calls of ${setting} go through the proxy ${withoutUser(proxy.url)}, which ${proxy.variable} names`);
    }
  }
}

/** Says which of the user's options of Vitest have no effect. */
async function sayWithoutEffect({ options }: Arguments): Promise<void> {
  if (options === null) {
    return;
  }
  const { optionsWithoutEffect } = await import('../../suites/run/vitest-front.ts');
  const names = optionsWithoutEffect(options).map((name) => `--${name}`);
  if (names.length > 0) {
    say(
      `${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} ignored: the suite sets ${names.length > 1 ? 'these Vitest options' : 'this Vitest option'} itself`,
    );
  }
}

const watch = (record: RunRecord, judged: readonly TargetRun[]) => ({
  clauses: record.selection?.size ?? 0,
  requests: () => judged.reduce((sum, { opened }) => sum + opened.session.client.sent, 0),
  waiting: () => waitText(judged.flatMap(({ opened }) => opened.session.book.currentWaits())),
  clean: (text: string) => judged.reduce((shown, { opened }) => opened.session.redactor.clean(shown), text),
});

/**
 * The longest wait that is going on, such as `31 s for the sandbox key's rate limit`; null if none is longer than a second.
 */
function waitText(waits: ReturnType<CallBook['currentWaits']>): string | null {
  const [longest] = waits.toSorted((a, b) => b.ms - a.ms);
  if (longest === undefined || longest.ms < 1_000) {
    return null;
  }
  return `${Math.ceil(longest.ms / 1_000)} s for ${longest.what}`;
}

function failsTheRun({ id, verdict }: ClauseResult, { settings, waivers }: RunRecord): boolean {
  const fails = verdict === 'fail' || verdict === 'broken' || (verdict === 'warn' && settings?.STRICT === '1');
  return fails && !waivers.some(({ clause }) => clause === id);
}

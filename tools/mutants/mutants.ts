import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createCommand } from '../../cli/command.ts';
import { clauses } from '../../contract/clauses.ts';
import { perDayClause } from '../../selftest/proof/day-in-process.ts';
import { plain, selftestJobs } from '../../selftest/proof/jobs.ts';
import type { Job } from '../../selftest/proof/row.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { checkedFiles, type Mutant, mutatedTree, type Tree } from './tree.ts';
import type { Told, Trial } from './worker.ts';

/** A job of the proof, and what it showed without a mutant. */
type Known = Told & { readonly job: Job };

/** The results for all mutants. */
interface Score {
  readonly killed: number;
  readonly survivors: readonly Mutant[];
  /** How many mutants' places trials execute. All of these were run, or a sample. */
  readonly covered: number;
  /** How many were not run: they change words alone, are executed while modules load, or by no trial. */
  readonly leftOut: number;
}

/** The plain deployments, of which each clause is judged alone, and the jobs of the selftest. */
const jobs = (): Job[] => [
  ...plain.flatMap((deployment) =>
    clauses
      .filter(({ id }) => id.startsWith(`${deployment.api}.`) && id !== perDayClause(deployment.api))
      .map(({ id }): Job => ({ ...deployment, name: id, clauses: [id] })),
  ),
  ...selftestJobs(),
];

/** The most trials of one mutant. */
const mostTrials = 24;

/** The trials that execute a mutant's place: those first that execute little else. */
const trialsFor = (known: readonly Known[], { number }: Mutant): readonly Known[] =>
  known
    .filter(({ passed }) => passed.has(number))
    .sort((one, other) => one.passed.size - other.passed.size)
    .slice(0, mostTrials);

/** Processes a list with several runners. Gives the results in the order of the list. */
async function share<T, R>(
  runners: readonly Runner[],
  list: readonly T[],
  work: (runner: Runner, item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = list.entries();
  await Promise.all(
    runners.map(async (runner) => {
      for (const [index, item] of queue) {
        results[index] = await work(runner, item);
      }
    }),
  );
  return results;
}

/** Runs each mutant, or every nth, until a trial has another outcome than without it. `say` gets the progress. */
async function scoreOf(
  { mutants }: Tree,
  trials: readonly Job[],
  runners: readonly Runner[],
  { every = 1, say }: { readonly every?: number; readonly say: (line: string) => void },
): Promise<Score> {
  const [atLoad = new Set()] = await Promise.all(runners.map((runner) => runner.load()));
  const known = await share(runners, trials, async (runner, job): Promise<Known> => {
    const told = await runner.run({ job, mutant: null });
    return { ...told, job };
  });
  const covered = mutants.filter(
    ({ isOfWords, number }) => !isOfWords && !atLoad.has(number) && known.some(({ passed }) => passed.has(number)),
  );
  const run = covered.filter((_, index) => index % every === 0);
  say(`${known.length} trials without a mutant; ${run.length} of ${mutants.length} mutants are run`);
  const survives = await share(runners, run, async (runner, mutant) => {
    for (const { job, outcome } of trialsFor(known, mutant)) {
      if ((await runner.run({ job, mutant: mutant.number })).outcome !== outcome) {
        return false;
      }
    }
    say(`survives: ${lineOf(mutant)}`);
    return true;
  });
  const survivors = run.filter((_, index) => survives[index]);
  const [killed, leftOut] = [run.length - survivors.length, mutants.length - covered.length];
  return { killed, survivors, covered: covered.length, leftOut };
}

const lineOf = ({ file, line, original, replacement }: Mutant): string =>
  `${file}:${line} ${[original, replacement].map((text) => text.replace(/\s+/g, ' ').slice(0, 100)).join(' → ')}`;

/** The score in two lines, then the survivors by file. */
function scoreText({ covered, killed, survivors, leftOut }: Score): string {
  const run = killed + survivors.length;
  const share = run === 0 ? 0 : Math.floor((killed / run) * 1000) / 10;
  const sample = run < covered ? ` (a sample of ${covered})` : '';
  return [
    `${share} % of ${run} mutants${sample} killed (${killed}); ${survivors.length} survive.`,
    `${leftOut} more were left out: they change words alone, or no trial executes them once they are switched on.`,
    '',
    ...survivors.map(lineOf),
    '',
  ].join('\n');
}

/** The longest that one trial may take; the most expensive one takes two seconds of a processor. */
const mostMs = 60_000;

/**
 * Runs trials on the mutated tree, one after the other. If a trial hangs, its thread is ended, and the next trial gets
 * a new one.
 */
interface Runner {
  /** The mutants whose places are executed while the modules load, before one can be switched on. */
  load(): Promise<ReadonlySet<number>>;
  run(trial: Trial): Promise<Told>;
  end(): Promise<void>;
}

const ended = 'ends the thread';

/** The next message of a thread; an outcome too if the thread hangs or breaks. */
const nextOf = async (worker: Worker): Promise<Told> => {
  try {
    const [told] = (await once(worker, 'message', { signal: AbortSignal.timeout(mostMs) })) as [Told];
    return told;
  } catch (error) {
    return { outcome: `${ended}: ${String(error)}`, passed: new Set() };
  }
};

function createRunner({ folder }: Tree): Runner {
  let worker: Worker | null = null;
  const start = async (): Promise<{ readonly thread: Worker; readonly told: Told }> => {
    const thread = new Worker(join(folder, 'tools/mutants/worker.ts'), { stdout: true, stderr: true });
    worker = thread;
    return { thread, told: await nextOf(thread) };
  };
  const end = async (): Promise<void> => {
    await worker?.terminate();
    worker = null;
  };
  return {
    end,
    load: async () => (await start()).told.passed,
    async run(trial) {
      const thread = worker ?? (await start()).thread;
      thread.postMessage(trial);
      const told = await nextOf(thread);
      if (told.outcome.startsWith(ended)) {
        await end();
      }
      return told;
    },
  };
}

// Takes hours: for a night or a review, not for each commit.
const command = commandLine(
  createCommand(
    'mutants',
    '[FILE...]',
    'Changes the checks in one place at a time, and counts the changes that no trial notices. Writes reports/mutants/survivors.txt.',
  )
    .argument('[files...]', 'files of suites/developer, suites/workspace or suites/shared; all if none is named')
    .option('--every <n>', 'make only every nth change: an estimate of the score', positiveInteger, 1),
);
const { every } = command.opts<{ every: number }>();
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const tree = await mutatedTree(command.args.length > 0 ? command.args : checkedFiles());
const runners = Array.from({ length: availableParallelism() }, () => createRunner(tree));
try {
  const text = scoreText(await scoreOf(tree, jobs(), runners, { every, say }));
  mkdirSync('reports/mutants', { recursive: true });
  writeFileSync('reports/mutants/survivors.txt', text);
  process.stdout.write(text);
} finally {
  await Promise.all(runners.map((runner) => runner.end()));
  rmSync(tree.folder, { recursive: true, force: true });
}

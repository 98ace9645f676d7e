import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createCommand } from '../../cli/command.ts';
import { clauses } from '../../contract/clauses.ts';
import { perDayClause } from '../../selftest/proof/day-in-process.ts';
import { plain, selftestJobs } from '../../selftest/proof/jobs.ts';
import { inThreads } from '../../selftest/proof/prove.ts';
import type { Job } from '../../selftest/proof/row.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { checkedFiles, type Mutant, mutatedTree, type Tree } from './tree.ts';
import type { Attempt, Told } from './worker.ts';

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

const lineOf = ({ file, line, original, replacement }: Mutant): string =>
  `${file}:${line} ${[original, replacement].map((text) => text.replace(/\s+/g, ' ').slice(0, 100)).join(' → ')}`;

/**
 * Runs each mutant, or every nth, until a trial has another outcome than without it. Returns the score in two lines, then
 * the survivors. `say` gets the progress.
 */
async function scoreOf({ mutants, folder }: Tree, every: number, say: (line: string) => void): Promise<string> {
  /** What the trials of each attempt show; nothing if its thread hangs or breaks. */
  const tellOf = (attempts: readonly Attempt[]): Promise<(readonly Told[])[]> =>
    inThreads<readonly Told[]>(
      pathToFileURL(join(folder, 'tools/mutants/worker.ts')),
      attempts,
      () => [],
      (done) => {
        if (done % 100 === 0) {
          say(`${done} of ${attempts.length}`);
        }
      },
    );
  const trials = jobs();
  const told = await tellOf(trials.map((job) => ({ mutant: null, trials: [{ job }] })));
  const known = trials.flatMap((job, place) => told[place]?.map((one) => ({ ...one, job })) ?? []);
  /** The trials that execute a mutant's place: those first that execute little else. */
  const attemptOf = ({ number }: Mutant): Attempt => ({
    mutant: number,
    trials: known
      .filter(({ passed }) => passed.has(number))
      .sort((one, other) => one.passed.size - other.passed.size)
      .slice(0, mostTrials)
      .map(({ job, outcome }) => ({ job, outcome })),
  });
  const executed = new Set(known.flatMap(({ passed }) => [...passed]));
  const covered = mutants.filter(({ isOfWords, number }) => !isOfWords && executed.has(number));
  const run = covered.filter((_, index) => index % every === 0);
  say(`${known.length} trials without a mutant; ${run.length} of ${mutants.length} mutants are run`);
  const attempts = run.map(attemptOf);
  const shown = await tellOf(attempts);
  const survivors = run.filter((_, place) =>
    attempts[place]?.trials.every(({ outcome }, number) => shown[place]?.[number]?.outcome === outcome),
  );
  const killed = run.length - survivors.length;
  const share = run.length === 0 ? 0 : Math.floor((killed / run.length) * 1000) / 10;
  const sample = run.length < covered.length ? ` (a sample of ${covered.length})` : '';
  return [
    `${share} % of ${run.length} mutants${sample} killed (${killed}); ${survivors.length} survive.`,
    `${mutants.length - covered.length} more were left out: they change words alone, or no trial executes them once they are switched on.`,
    '',
    ...survivors.map(lineOf),
    '',
  ].join('\n');
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
const { every } = command.opts();

const tree = await mutatedTree(command.args.length > 0 ? command.args : checkedFiles());
try {
  const text = await scoreOf(tree, every, (line) => void process.stderr.write(`${line}\n`));
  mkdirSync('reports/mutants', { recursive: true });
  writeFileSync('reports/mutants/survivors.txt', text);
  process.stdout.write(text);
} finally {
  rmSync(tree.folder, { recursive: true, force: true });
}

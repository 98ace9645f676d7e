import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createCommand } from '../../cli/command.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { createRunner } from './runner.ts';
import { scoreOf, scoreText } from './score.ts';
import { checkedFiles, mutatedTree } from './tree.ts';
import { trials } from './trials.ts';

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
  const text = scoreText(await scoreOf(tree, trials(), runners, { every, say }));
  mkdirSync('reports/mutants', { recursive: true });
  writeFileSync('reports/mutants/survivors.txt', text);
  process.stdout.write(text);
} finally {
  await Promise.all(runners.map((runner) => runner.end()));
  rmSync(tree.folder, { recursive: true, force: true });
}

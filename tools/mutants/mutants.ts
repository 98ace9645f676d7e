import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createCommand } from '../../cli/command.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { checkedFiles, mutatedTree } from './instrument.ts';
import { createRunner } from './runner.ts';
import { scoreOf, scoreText } from './score.ts';
import { trials } from './trials.ts';

// Takes hours: for a night or a review, not for each commit.
const command = commandLine(
  createCommand(
    'mutants',
    '[FILE...]',
    'Changes the checks in one place at a time, and counts the changes that no trial notices. Writes reports/mutants/survivors.txt.',
  )
    .argument('[files...]', 'files of the checks; all if none is named')
    .option('--every <n>', 'make only every nth change: an estimate of the score', positiveInteger, 1),
);
const named = command.args;
const { every } = command.opts<{ every: number }>();
const began = performance.now();
const say = (line: string): void => {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s: ${line}\n`);
};
const all = checkedFiles();
const unknown = named.filter((file) => !all.includes(file));
if (unknown.length > 0) {
  process.stderr.write(
    `Cannot mutate ${unknown.join(', ')}: name files of suites/developer, suites/workspace, suites/shared\n`,
  );
  process.exit(2);
}

const tree = await mutatedTree(named.length > 0 ? named : all);
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

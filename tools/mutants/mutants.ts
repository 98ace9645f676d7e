import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { usualVerdicts } from '../../selftest/proof/run-in-process.ts';
import { readExplanations, reasonsById } from './explanations.ts';
import { mutatedTree, targets } from './instrument.ts';
import { type Fate, lineOf, runMutants } from './kill.ts';
import { createHand } from './pool.ts';
import { rehearseAll } from './rehearsal.ts';
import { figuresOf, markdownOf, type Report, readReport, reportFolder, rowsOf } from './report.ts';
import type { WorkerData } from './worker.ts';

// `npm run mutants [-- [--again] [FILE...]]`: mutates the checks, all of them or those of the files named, and writes
// reports/mutants. Survivors for which a reason is given are run with --again only.
const began = performance.now();
const say = (line: string): void => {
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s: ${line}\n`);
};

const all = targets();
const again = process.argv.includes('--again');
const named = process.argv.slice(2).filter((argument) => argument !== '--again');
const unknown = named.filter((file) => !all.includes(file));
if (unknown.length > 0) {
  process.stderr.write(
    `Cannot mutate ${unknown.join(', ')}: name files of suites/developer, suites/workspace or the judging kit\n`,
  );
  process.exit(2);
}
const files = named.length > 0 ? named : all;
const given = reasonsById(readExplanations());

const tree = await mutatedTree(files);
const data: WorkerData = {
  mutant: null,
  marks: Math.max(0, ...tree.marks.map(({ number }) => number)) + 1,
  usual: { developer: await usualVerdicts('developer'), workspace: await usualVerdicts('workspace') },
};
const hands = Array.from({ length: Math.min(2, availableParallelism()) }, () => createHand(tree.folder, data));
try {
  const [loaded] = await Promise.all(
    hands.map(async (hand) => (await hand.do({ mutant: null, trials: [] })).outcomes[0]?.hits),
  );
  if (loaded === undefined) {
    throw new Error('Cannot load the mutated tree');
  }
  say(`${tree.mutants.length} mutants in ${files.length} files`);
  const rehearsal = await rehearseAll(hands, tree.mutants, loaded, say);
  for (const file of files) {
    const fates = await runMutants(
      { tree, data, hands, rehearsal, excused: ({ id }) => !again && given.has(id) },
      file,
    );
    const alive = fates.filter(({ killed }) => !killed);
    say(`${file}: ${alive.length} of ${fates.length} survive`);
    write(file, fates);
  }
  conclude();
} finally {
  await Promise.all(hands.map((hand) => hand.end()));
  rmSync(tree.folder, { recursive: true, force: true });
}

/** Writes the report with what became of one file's mutants, and prints those that nobody has explained. */
function write(file: string, fates: readonly Fate[]): void {
  const before = readReport();
  const report: Report = {
    format: 1,
    files: [...before.files.filter((row) => all.includes(row.file) && row.file !== file), ...rowsOf(fates, given)].sort(
      (a, b) => (a.file < b.file ? -1 : 1),
    ),
    excluded: named.length > 0 ? before.excluded : Object.fromEntries(tree.excluded),
  };
  mkdirSync(reportFolder, { recursive: true });
  writeFileSync(join(reportFolder, 'mutants.json'), `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(join(reportFolder, 'mutants.md'), markdownOf(report));
  for (const { mutant, tried } of fates.filter((fate) => !fate.killed && !given.has(fate.mutant.id))) {
    process.stdout.write(`${lineOf(mutant)}${tried === 0 ? ' (not reached)' : ''}\n`);
  }
}

/** Says how it went; 1 is the exit status where a survivor is not explained. */
function conclude(): void {
  const { files: rows, ...rest } = readReport();
  const own = rows.filter(({ file }) => files.includes(file));
  process.stdout.write(
    `\n${figuresOf({ ...rest, files: own }).join('\n')}\n${((performance.now() - began) / 1000).toFixed(0)} s; written to reports/mutants\n`,
  );
  process.exitCode = own.some(({ survivors }) => survivors.some(({ reason }) => reason === null)) ? 1 : 0;
}

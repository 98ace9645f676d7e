import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { createCommand } from '../../cli/command.ts';
import type { ApiName } from '../../contract/clause.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { type Mutant, mutatedTree, sourcesIn, type Tree } from './instrument.ts';
import { createRunner, type Runner, share } from './runner.ts';
import type { Trial } from './trials.ts';

/** What became of a small change of the reference deployment. */
const ends = {
  failed: 'fail a clause',
  broken: 'break the server or the run',
  unseen: 'change no answer',
  survived: 'change answers, and fail no clause: the documents leave open what they change, or a check is missing',
} as const;
type End = keyof typeof ends;

/** Files that hold only rows, or many forms of one thing, of which a run uses one. */
const leftOut = /\/(data|paging|schemes|scheme-templates|secrets)\.ts$/;

const command = commandLine(
  createCommand(
    'mutants:reference',
    '',
    'Changes the reference deployment in one place at a time: random defects. Lists those that change answers and fail no clause in reports/mutants/reference.txt. Takes half an hour.',
  ).option('--every <n>', 'make only every nth change', positiveInteger, 1),
);
const { every } = command.opts<{ every: number }>();

/** A change that no clause fails, and what else the run says because of it. */
interface Survivor extends Mutant {
  readonly seenBy: readonly string[];
}

const lines: string[] = [];
for (const api of ['developer', 'workspace'] as const) {
  const { counts, survivors } = await tryAll(api);
  lines.push(
    `${api} API:`,
    ...(Object.keys(ends) as End[]).map((end) => `  ${counts[end]} changes ${ends[end]}`),
    ...survivors.map(({ file, line, original, replacement, seenBy }) => {
      const seen = seenBy.length === 0 ? '' : `   [${seenBy.join(' ')}]`;
      return `    ${file}:${line}: ${oneLine(original)} => ${oneLine(replacement)}${seen}`;
    }),
  );
}
mkdirSync('reports/mutants', { recursive: true });
writeFileSync('reports/mutants/reference.txt', `${lines.join('\n')}\n`);
process.stdout.write(`${lines.filter((line) => !line.startsWith('    ')).join('\n')}\n`);

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 100);
}

/** Makes each change of the files that serve an API, and runs its suite once. */
async function tryAll(api: ApiName): Promise<{ counts: Record<End, number>; survivors: Survivor[] }> {
  const files = [`fixtures/reference/${api}`, 'fixtures/reference/server'].flatMap(sourcesIn);
  const tree = await mutatedTree(files.filter((file) => !leftOut.test(file)));
  const runners = Array.from({ length: availableParallelism() }, () => createRunner(tree));
  const counts: Record<End, number> = { failed: 0, broken: 0, unseen: 0, survived: 0 };
  const survivors: Survivor[] = [];
  try {
    const trial: Trial = { name: api, api, tellsAnswers: true };
    const { mutants, outcome: usual } = await executed(tree, runners, trial);
    await share(runners, mutants, async (runner, mutant) => {
      const { outcome } = await runner.run({ trial, mutant: mutant.number });
      const end = endOf(outcome, usual);
      counts[end] += 1;
      if (end === 'survived') {
        survivors.push({ ...mutant, seenBy: changes(outcome, usual) });
      }
    });
  } finally {
    await Promise.all(runners.map((runner) => runner.end()));
    rmSync(tree.folder, { recursive: true, force: true });
  }
  survivors.sort((a, b) => a.number - b.number);
  return { counts, survivors };
}

/** The mutants whose places a run executes after everything is loaded, or every nth of them; and the usual outcome. */
async function executed(
  { mutants }: Tree,
  runners: readonly Runner[],
  trial: Trial,
): Promise<{ mutants: Mutant[]; outcome: string }> {
  const [atLoad] = await Promise.all(runners.map((runner) => runner.load()));
  const [first] = runners as [Runner];
  const { outcome, passed } = await first.run({ trial, mutant: null });
  const reached = mutants.filter(({ number }) => passed[number] === 1 && atLoad?.[number] !== 1);
  return { mutants: reached.filter((_, index) => index % every === 0), outcome };
}

function endOf(outcome: string, usual: string): End {
  if (outcome === usual) {
    return 'unseen';
  }
  if (/^(goes on|breaks|stray|cannot be loaded|broken)/.test(outcome) || / broken /.test(outcome)) {
    return 'broken';
  }
  if (/^\S+ red /m.test(outcome)) {
    return 'failed';
  }
  return outcome.split('\n').at(-1) === usual.split('\n').at(-1) ? 'unseen' : 'survived';
}

/** The clauses of which a run says something else than usual; what it left, harmed or leaked as a whole. */
function changes(outcome: string, usual: string): string[] {
  const known = new Set(usual.split('\n'));
  const changed = outcome.split('\n').slice(0, -1);
  return changed
    .filter((line) => !known.has(line))
    .map((line) => /^(developer|workspace)\.\S+/.exec(line)?.[0] ?? line);
}

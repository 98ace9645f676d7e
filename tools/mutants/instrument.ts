import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { leftOut, shouldIgnore } from './excluded.ts';
import { chosenLate } from './late.ts';

export const root = join(import.meta.dirname, '../..');

/** One small change of one file. */
export interface Mutant {
  /** Its number in the instrumented tree. */
  readonly number: number;
  /** Stands for file, line's text and change: the same in every run as long as those are. */
  readonly id: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly lastLine: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

/** A copy of the repository in which every mutant is switched on by its number. */
export interface Tree {
  readonly folder: string;
  readonly mutants: readonly Mutant[];
  /** Those and the ones that are not run: each tells how often its place is passed. */
  readonly marks: readonly Mutant[];
  /** Mutants left out, by reason. */
  readonly excluded: ReadonlyMap<string, number>;
}

const judgingKit = [
  'suites/engine/expect',
  'results/outcome',
  'suites/engine/every-response',
  'common/schema',
  'common/json',
].map((name) => `${name}.ts`);

/** The files whose mutants are run: every check, and what the kit judges with. */
export const targets = (): readonly string[] => [
  ...['suites/developer', 'suites/workspace'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /^[a-z-]+\.ts$/.test(name))
      .map((name) => `${folder}/${name}`),
  ),
  ...judgingKit,
];

const rooms = [
  'contract',
  'common',
  'results',
  'settings',
  'webhooks',
  'limits',
  'fixtures',
  'load',
  'suites',
  'cli',
  'selftest',
  'tools',
  'reports',
];
const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
type Logger = ConstructorParameters<typeof Instrumenter>[0];

/** Copies the repository as it is now to a folder of the system's and mutates the files named there. */
export async function mutatedTree(files: readonly string[]): Promise<Tree> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  for (const room of rooms) {
    cpSync(join(root, room), join(folder, room), {
      recursive: true,
      filter: (path) => !/reports\/latest|\.(html|snap)$/.test(path),
    });
  }
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const sources = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const instrumenter = new Instrumenter(silent as unknown as Logger);
  const { files: written, mutants } = await instrumenter.instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [{ shouldIgnore: shouldIgnore as never }], noHeader: true },
  );
  for (const { name, content } of written) {
    writeFileSync(join(folder, name), chosenLate(content));
  }
  const known = new Map<string, number>();
  const all = mutants.map((mutant) => ({
    mutant: mutantOf(mutant, sources.get(mutant.fileName) ?? '', known),
    reason: mutant.statusReason,
  }));
  const reasons = all.map(({ mutant, reason }) => reason ?? leftOut(mutant));
  return {
    folder,
    marks: all.map(({ mutant }) => mutant),
    mutants: all.flatMap(({ mutant }, i) => (reasons[i] === null ? [mutant] : [])),
    excluded: reasons.reduce(
      (counts, reason) =>
        reason === null || reason === undefined ? counts : counts.set(reason, (counts.get(reason) ?? 0) + 1),
      new Map<string, number>(),
    ),
  };
}

interface Made {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}
interface Place {
  readonly line: number;
  readonly column: number;
}

/** Alike changes on alike lines of a file are told apart by their order. */
function mutantOf(
  { id, fileName, mutatorName, replacement, location: { start, end } }: Made,
  source: string,
  known: Map<string, number>,
): Mutant {
  const lines = source.split('\n');
  const original = source.slice(offsetOf(lines, start), offsetOf(lines, end));
  const what = [fileName, lines[start.line]?.trim(), mutatorName, original, replacement].join('\0');
  const count = (known.get(what) ?? 0) + 1;
  known.set(what, count);
  return {
    number: Number(id),
    id: createHash('sha256').update(`${what}\0${count}`).digest('hex').slice(0, 10),
    file: fileName,
    line: start.line + 1,
    lastLine: end.line + 1,
    mutator: mutatorName,
    original,
    replacement,
  };
}

const offsetOf = (lines: readonly string[], { line, column }: Place): number =>
  lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + column;

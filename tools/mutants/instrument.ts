import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { areWords, type Reason, reasonFor } from './left-out.ts';

const root = join(import.meta.dirname, '../..');

/** One small change of one file. */
export interface Mutant {
  /** Its number in the mutated tree. */
  readonly number: number;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly original: string;
  readonly replacement: string;
  /** Why it is not run, if so. */
  readonly leftOut?: Reason;
}

/** A copy of the repository in which each mutant can be switched on by its number. */
export interface Tree {
  readonly folder: string;
  readonly mutants: readonly Mutant[];
}

/** The TypeScript files of a folder and those in it. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);

/** The files that hold checks. */
export const checkedFiles = (): string[] =>
  ['suites/developer', 'suites/workspace', 'suites/shared'].flatMap(sourcesIn);

const notCopied = /^(node_modules|reports\/(latest|proof|mutants)|\.git|\.ledger)/;
const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Copies the working tree to a temporary folder, and mutates these files there. */
export async function mutatedTree(files: readonly string[]): Promise<Tree> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  cpSync(root, folder, { recursive: true, filter: (path) => !notCopied.test(path.slice(root.length + 1)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const sources = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const instrumenter = new Instrumenter(silent as never);
  const ignorer = { shouldIgnore: (path: never) => (areWords(path) ? 'words' : undefined) };
  const { files: written, mutants } = await instrumenter.instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [ignorer as never], noHeader: true },
  );
  for (const { name, content } of written) {
    writeFileSync(join(folder, name), content);
  }
  return {
    folder,
    mutants: mutants.map(({ id, fileName, mutatorName, replacement, location: { start, end }, statusReason }) => {
      const lines = (sources.get(fileName) ?? '').split('\n');
      const original = textBetween(lines, start, end);
      const leftOut = statusReason === undefined ? reasonFor(mutatorName, original, replacement) : 'words';
      const mutant = { number: Number(id), file: fileName, line: start.line + 1, original, replacement };
      return leftOut === undefined ? mutant : { ...mutant, leftOut };
    }),
  };
}

function textBetween(lines: readonly string[], start: Place, end: Place): string {
  const text = lines.slice(start.line, end.line + 1);
  const last = text.length - 1;
  text[last] = (text[last] ?? '').slice(0, end.column);
  text[0] = (text[0] ?? '').slice(start.column);
  return text.join('\n');
}

import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';

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
  /** Whether it only changes words and names, which decide no verdict: it is not run then. */
  readonly isOfWords: boolean;
}

/** A copy of the repository in which each mutant can be switched on by its number. */
export interface Tree {
  readonly folder: string;
  readonly mutants: readonly Mutant[];
}

/** The files that hold checks. */
export const checkedFiles = (): string[] =>
  ['suites/developer', 'suites/workspace', 'suites/shared'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );

const notCopied = /^(node_modules|reports\/(latest|runs|proof|mutants)|\.git|\.ledger)/;
const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };

/** Copies the working tree to a temporary folder, and mutates these files there. */
export async function mutatedTree(files: readonly string[]): Promise<Tree> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  cpSync(root, folder, { recursive: true, filter: (path) => !notCopied.test(path.slice(root.length + 1)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const sources = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const { files: written, mutants } = await new Instrumenter(silent as never).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [], noHeader: true },
  );
  for (const { name, content } of written) {
    writeFileSync(join(folder, name), content);
  }
  return {
    folder,
    mutants: mutants.map(({ id, fileName, mutatorName, replacement, location: { start, end } }) => {
      const lines = (sources.get(fileName) ?? '').split('\n').slice(start.line, end.line + 1);
      lines.push((lines.pop() ?? '').slice(0, end.column));
      const original = lines.join('\n').slice(start.column);
      const isOfWords =
        replacement.includes('Stryker was here') || (mutatorName === 'ObjectLiteral' && /\bmessage[:,]/.test(original));
      return { number: Number(id), file: fileName, line: start.line + 1, original, replacement, isOfWords };
    }),
  };
}

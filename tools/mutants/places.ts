import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Mutant, root } from './instrument.ts';

/** The sources as they are mutated, by file. */
export const sourcesOf = (files: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8').split('\n')]));

/** The name that the statement around a line of the top level declares. */
function declaredAround(lines: readonly string[], line: number): string | undefined {
  for (let i = line - 1; i >= 0; i -= 1) {
    const name = /^(?:export )?(?:const|function|async function) (\w+)/.exec(lines[i] ?? '')?.[1];
    if (name !== undefined) {
      return name;
    }
  }
  return undefined;
}

/**
 * Mutants that stand for one whose place is passed while its module loads: those on the lines that use what is declared
 * there, in its own file and in files that import it. All of its file, where nothing is found.
 */
export function placesOf(
  mutant: Mutant,
  all: readonly Mutant[],
  sources: ReadonlyMap<string, readonly string[]>,
  atLoad: Uint32Array,
): readonly Mutant[] {
  const others = all.filter(({ number }) => (atLoad[number] ?? 0) === 0);
  const name = declaredAround(sources.get(mutant.file) ?? [], mutant.line);
  const importing = (file: string): boolean =>
    file === mutant.file || (sources.get(file) ?? []).some((text) => text.includes(`/${basename(mutant.file)}'`));
  const uses = new Map(
    [...sources]
      .filter(([file]) => importing(file))
      .map(([file, lines]) => [
        file,
        lines.flatMap((text, i) =>
          name !== undefined && new RegExp(`\\b${name}\\b`).test(text) && !text.startsWith('import') ? [i + 1] : [],
        ),
      ]),
  );
  const found = others.filter(({ file, line, lastLine }) =>
    (uses.get(file) ?? []).some((use) => line <= use && use <= lastLine),
  );
  return found.length > 0 ? found : others.filter(({ file }) => file === mutant.file);
}

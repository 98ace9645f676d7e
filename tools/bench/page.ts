import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';

const page = resolve(import.meta.dirname, '../../docs/bench.md');
const marks = (name: string): readonly [string, string] => [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];

/** A page with a section in the place of its predecessor, or at the end; the other sections stay as they are. */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = marks(name);
  const section = `${begin}\n${text.trim()}\n${end}`;
  const [before = '', after] = page.split(begin);
  return after === undefined
    ? `${page.trimEnd()}\n\n${section}\n`
    : `${before}${section}${after.slice(after.indexOf(end) + end.length)}`;
}

/** Puts a section into docs/bench.md. */
export function putSection(name: string, text: string): void {
  writeFileSync(page, withSection(existsSync(page) ? readFileSync(page, 'utf8') : '# Benchmarks\n', name, text));
}

/** The machine in words, as far as it bears on a measurement. */
export const machine = (): string => {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
};

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

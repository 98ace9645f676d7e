import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';

const page = resolve(import.meta.dirname, '../../docs/bench.md');
const marks = (name: string): readonly [string, string] => [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];

/** Puts a section of docs/bench.md in the place of its predecessor; the other sections stay as they are. */
export function putSection(name: string, text: string): void {
  const [begin, end] = marks(name);
  const old = existsSync(page) ? readFileSync(page, 'utf8') : '# Benchmarks\n';
  const section = `${begin}\n${text.trim()}\n${end}`;
  const [before = '', after] = old.split(begin);
  const rest = after?.slice(after.indexOf(end) + end.length) ?? '\n';
  writeFileSync(page, after === undefined ? `${old.trimEnd()}\n\n${section}\n` : `${before}${section}${rest}`);
}

/** The machine in words, as far as it bears on a measurement. */
export const machine = (): string => {
  const model = cpus()[0]?.model.replace(/\s+/g, ' ').trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
};

/** A Markdown table. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

import { bounds } from '../results/bound.ts';
import type { Run } from '../results/verdict.ts';
import { visible } from './text.ts';
import { failingVerdicts } from './words.ts';

/** A clause that failed, and the shell lines that reproduce its failure. */
interface Repeat {
  readonly id: string;
  readonly script: string;
}

/** Whether a script was not cut, and so can be run. */
const isWhole = (script: string): boolean => script.length < bounds.curl;

/** The failed clauses that have a script, each with its shortest one. */
function repeatsOf(run: Run): readonly Repeat[] {
  const wrong = [...new Set([...failingVerdicts(run), 'warn'])];
  return run.clauses
    .filter(({ verdict }) => wrong.includes(verdict))
    .flatMap(({ id, findings }) => {
      const scripts = findings.flatMap(({ curl }) => (curl !== undefined && isWhole(curl) ? [visible(curl)] : []));
      const [script] = scripts.toSorted((a, b) => a.length - b.length);
      return script === undefined ? [] : [{ id, script }];
    });
}

/**
 * A line that ends the script if a setting that it needs is not set. The shell would go on if that only failed within
 * `$(…)`.
 */
function asking(script: string): string {
  const names = new Set(Array.from(script.matchAll(/\$\{([A-Z_]+):\?/g), ([, name]) => name));
  return names.size === 0 || script.startsWith(': "$')
    ? ''
    : `: ${[...names].map((name) => `"\${${name}:?must be set as for the run}"`).join(' ')}\n`;
}

/**
 * repeat.sh: `sh repeat.sh CLAUSE`, with the settings of the run in the environment, reproduces the failure of a
 * clause.
 */
export function repeatScript(run: Run): string {
  const repeats = repeatsOf(run);
  const branches = repeats.map(({ id, script }) => `${id})\n${asking(script)}${script}\n;;\n`);
  const known = repeats.map(({ id }) => id).join(' ');
  return `#!/bin/sh
# Reproduces the failure of a clause: sh repeat.sh CLAUSE. It calls the deployment with the keys in the environment.
case "\${1-}" in
${branches.join('')}*)
  echo ${repeats.length === 0 ? "'No clause failed'" : `'Usage: sh repeat.sh CLAUSE, one of: ${known}'`} >&2
  exit 2
;;
esac
`;
}

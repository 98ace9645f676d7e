import { bounds } from '../results/bound.ts';
import type { Run } from '../results/verdict.ts';
import { boundRun } from './bound-run.ts';
import { visible } from './text.ts';
import { failingVerdicts } from './words.ts';

/** A clause that failed, and the shell lines that show it again. */
interface Repeat {
  readonly id: string;
  readonly script: string;
}

/** A script that was cut cannot be run. */
const isWhole = (script: string): boolean => script.length < bounds.curl;

/** The clauses whose failure a script repeats, each with the shortest that it has. */
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

/** A line that ends the script where a setting that it needs is not set: within `$(…)` the shell would go on. */
function asking(script: string): string {
  const names = new Set(Array.from(script.matchAll(/\$\{([A-Z_]+):\?/g), ([, name]) => name));
  return names.size === 0 || script.startsWith(': "$')
    ? ''
    : `: ${[...names].map((name) => `"\${${name}:?must be set as for the run}"`).join(' ')}\n`;
}

/** repeat.sh: shows one clause's failure again. `sh repeat.sh CLAUSE`, with the settings of the run in the environment. */
export function repeatScript(whole: Run): string {
  const repeats = repeatsOf(boundRun(whole));
  const branches = repeats.map(({ id, script }) => `${id})\n${asking(script)}${script}\n;;\n`);
  const known = repeats.map(({ id }) => id).join(' ');
  return `#!/bin/sh
# Shows again what a clause failed by: sh repeat.sh CLAUSE. It calls the deployment with the keys that the environment holds.
case "\${1-}" in
${branches.join('')}*)
  echo ${repeats.length === 0 ? "'No clause failed'" : `'Usage: sh repeat.sh CLAUSE, one of: ${known}'`} >&2
  exit 2
;;
esac
`;
}

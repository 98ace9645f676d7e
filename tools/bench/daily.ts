import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { machine, putSection, table } from '../page.ts';

/** A command of daily work, and how long it may take, in seconds. */
interface Command {
  readonly script: string;
  readonly args: readonly string[];
  readonly aimS: number;
}

const commands: readonly Command[] = [
  { script: 'check', args: [], aimS: 20 },
  { script: 'prove', args: ['developer.auth.missing-key'], aimS: 10 },
];
const rounds = 3;

/** Runs the command once. Gives its wall time in seconds. Throws if it fails. */
function secondsOf({ script, args }: Command): number {
  const began = performance.now();
  const cwd = resolve(import.meta.dirname, '../..');
  const { status, stderr } = spawnSync('npm', ['run', '--silent', script, '--', ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(`npm run ${script} ended with ${status}: ${stderr.slice(-500)}`);
  }
  return (performance.now() - began) / 1000;
}

commandLine(
  createCommand('bench:daily', '', 'Measures the commands of daily work, and writes docs/proof.md. Takes two minutes.'),
);
const [load = 0] = loadavg();
const rows = commands.map((command) => {
  const seconds = Array.from({ length: rounds }, () => secondsOf(command));
  const name = ['npm run', command.script, ...(command.args.length > 0 ? ['--', ...command.args] : [])].join(' ');
  const row = [`\`${name}\``, seconds.map((one) => `${one.toFixed(1)} s`).join(', '), `${command.aimS} s`];
  process.stdout.write(`${row.join('  ')}\n`);
  return row;
});
putSection(
  'proof.md',
  'daily',
  [
    `\`npm run bench:daily\`, on ${machine()}; the machine's load average was ${load.toFixed(1)}:`,
    table(['Command', `Wall time, ${rounds} times`, 'Aim'], rows),
  ].join('\n\n'),
);

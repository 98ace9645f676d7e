import { spawnSync } from 'node:child_process';
import { Argument } from '@commander-js/extra-typings';
import { createCommand } from '../cli/command.ts';
import { commandLine } from './command.ts';

/** Another seed each day, which the output names, so that a night can be repeated. */
const seed = new Date().toISOString().slice(0, 10).replaceAll('-', '');

/** A part: the npm script and its arguments. Every nth mutant is made, since all of them take days. */
const parts: Readonly<Record<string, readonly string[]>> = {
  proof: ['prove', '--', '--seed', seed],
  selftest: ['selftest', '--', ...['k6', 'robust', 'e2e'].flatMap((name) => ['--project', name])],
  mutants: ['mutants', '--', '--every', '40'],
  limiters: ['limiters'],
};

const command = commandLine(
  createCommand(
    'nightly',
    '[PART…]',
    'Runs what takes long: the proof with each fault and choice alone and fresh draws, the tests of the load scripts on all deployments, all networks, odd and hostile servers and commands, mutants, real limiters. Ends with 1 if any part does.',
  ).addArgument(new Argument('[parts...]', 'all if none is named').choices(Object.keys(parts))),
);
const chosen = Object.entries(parts).filter(([name]) => command.args.length === 0 || command.args.includes(name));
const ended = chosen.map(([name, script]) => {
  process.stdout.write(`\n== ${name}: npm run ${script.join(' ')}\n`);
  const { status } = spawnSync('npm', ['run', ...script], {
    stdio: 'inherit',
    env: { ...process.env, NIGHTLY: '1' },
  });
  return { name, status };
});
process.stdout.write(`\n${ended.map(({ name, status }) => `${name}: exit status ${status}`).join('\n')}\n`);
process.exit(ended.every(({ status }) => status === 0) ? 0 : 1);

import { Option } from 'commander';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { measure, tools } from './measure.ts';
import { endAll } from './process.ts';
import { writePeers } from './write.ts';

const names = tools.map(({ name }) => name);
const { tool, resume, writeOnly } = commandLine(
  createCommand(
    'bench',
    '[options]',
    'Compares this suite with other tools on the same deployments, and writes docs/bench.md.',
  )
    .addOption(new Option('--tool <name...>', 'measure only these').choices(names).default(names))
    .option('--resume', 'keep the measurements of an earlier run', false)
    .option('--write-only', 'measure nothing, only write the page', false),
).opts<{ tool: readonly string[]; resume: boolean; writeOnly: boolean }>();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll();
    process.exit(130);
  });
}
if (!writeOnly) {
  const chosen = tools.filter(({ name }) => tool.includes(name));
  await measure(chosen, resume, (line) => process.stdout.write(`${line}\n`));
}
writePeers();

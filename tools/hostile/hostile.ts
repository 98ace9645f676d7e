import { createCommand } from '../../cli/command.ts';
import { setup, teardown } from '../../selftest/scratch.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { behaviours, type Groups, loads, senders, tried } from './corpus/all.ts';
import { type Scope, trySuite } from './try-suite.ts';

const command = commandLine(
  createCommand(
    'hostile',
    '[options]',
    'Runs the suite against hostile servers: a part of it where every second answer is hostile, attacks on the receiver of webhooks, and complete runs on large documents; its exit status must agree with its reports, which must be well-formed, show no key and contain nothing active. Ends with 1 if something did not hold.',
  ).option('--every <n>', 'run the suite only for every nth behaviour', positiveInteger, 1),
);
const { every } = command.opts<{ every: number }>();
const troubles: string[] = [];
setup();

/** Tries every nth behaviour, `atOnce` at a time, and says how many held. */
async function tryEach(scope: Scope, groups: Groups, atOnce: number): Promise<void> {
  const queue = Object.entries(groups)
    .flatMap(([group, all]) => Object.entries(all).map(([name, behave]) => ({ name: `${group}: ${name}`, behave })))
    .filter((_, index) => index % every === 0);
  const [all, before] = [queue.length, troubles.length];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const found = await trySuite(next.behave, scope);
      troubles.push(...found.map((trouble) => `${next?.name}: ${trouble}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  process.stdout.write(`${scope}: ${all} behaviours, ${troubles.length - before} troubles\n`);
}

await tryEach('developer', { ...behaviours, ...tried }, 2);
await tryEach('webhooks', senders, 2);
await tryEach('all', loads, 1);
process.stderr.write(troubles.map((trouble) => `${trouble}\n`).join(''));
teardown();
process.exit(troubles.length === 0 ? 0 : 1);

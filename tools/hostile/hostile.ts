import { Argument } from 'commander';
import { createCommand } from '../../cli/command.ts';
import { setup, teardown } from '../../selftest/scratch.ts';
import { commandLine, positiveInteger } from '../command.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours, type Groups, loads, senders, tried } from './corpus/all.ts';
import { tryClient } from './try-client.ts';
import { trySuite } from './try-suite.ts';

const command = commandLine(
  createCommand(
    'hostile',
    '[client | suite …]',
    'Tries hostile servers. The client: two reads and a write for each behaviour. The suite: a part of it where every second answer is hostile, attacks on the receiver of webhooks, and complete runs on large documents; its exit status must agree with its reports, which must be well-formed, show no key and contain nothing active. Ends with 1 if something did not hold.',
  )
    .addArgument(new Argument('[parts...]', 'what to try; everything by default').choices(['client', 'suite']))
    .option('--every <n>', 'run the suite only for every nth behaviour', positiveInteger, 1),
);
const { every } = command.opts<{ every: number }>();
const has = (part: string): boolean => command.args.length === 0 || command.args.includes(part);
const troubles: string[] = [];
setup();

/** Tries every nth behaviour, `atOnce` at a time, and says how many held. */
async function tryEach(
  what: string,
  groups: Groups,
  { atOnce, nth }: { atOnce: number; nth: number },
  attempt: (behaviour: Behaviour) => Promise<{ readonly troubles: readonly string[] }>,
): Promise<void> {
  const queue = Object.entries(groups)
    .flatMap(([group, all]) => Object.entries(all).map(([name, behave]) => ({ name: `${group}: ${name}`, behave })))
    .filter((_, index) => index % nth === 0);
  const [all, before] = [queue.length, troubles.length];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { name, behave } = next;
      const found = await attempt(behave);
      troubles.push(...found.troubles.map((trouble) => `${what}, ${name}: ${trouble}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  process.stdout.write(`${what}: ${all} behaviours, ${troubles.length - before} troubles\n`);
}

if (has('client')) {
  await tryEach('client', { ...behaviours, ...loads }, { atOnce: 4, nth: 1 }, tryClient);
}
if (has('suite')) {
  const many = { atOnce: 2, nth: every };
  await tryEach('suite', { ...behaviours, ...tried }, many, (behave) => trySuite(behave, 'developer'));
  await tryEach('suite', senders, many, (behave) => trySuite(behave, 'webhooks'));
  await tryEach('suite', loads, { ...many, atOnce: 1 }, (behave) => trySuite(behave, 'all'));
}
process.stderr.write(troubles.map((trouble) => `${trouble}\n`).join(''));
teardown();
process.exit(troubles.length === 0 ? 0 : 1);

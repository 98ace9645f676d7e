import { Argument } from 'commander';
import { createCommand } from '../../cli/command.ts';
import { commandLine, positiveInteger } from '../command.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours, type Groups, loads, senders } from './corpus/all.ts';
import { killRuns } from './kills.ts';
import { tryClient } from './try-client.ts';
import { trySuite } from './try-suite.ts';

const command = commandLine(
  createCommand(
    'hostile',
    '[client | suite | kills …]',
    'Tries hostile servers and kills on real processes. The client: two reads and a write for each behaviour. The suite: a part of it where every second answer is hostile, attacks on the receiver of webhooks, and complete runs on large documents; its exit status must agree with its reports, which must be well-formed, show no key and contain nothing active. Kills: runs that are ended by SIGKILL, and then cleaned up. Ends with 1 if something did not hold.',
  )
    .addArgument(new Argument('[parts...]', 'what to try; everything by default').choices(['client', 'suite', 'kills']))
    .option(
      '--every <n>',
      'run the suite only for every nth behaviour, and kill only at every nth point',
      positiveInteger,
      1,
    ),
);
const { every } = command.opts<{ every: number }>();
const has = (part: string): boolean => command.args.length === 0 || command.args.includes(part);
const troubles: string[] = [];

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
  await tryEach('suite', behaviours, many, (behave) => trySuite(behave, 'developer'));
  await tryEach('suite', senders, many, (behave) => trySuite(behave, 'webhooks'));
  await tryEach('suite', loads, { ...many, atOnce: 1 }, (behave) => trySuite(behave, 'all'));
}
if (has('kills')) {
  const kills = await killRuns(every);
  troubles.push(...kills.troubles);
  process.stdout.write(
    `kills: ${kills.killed} of ${kills.tried} runs ended by SIGKILL, which left ${kills.made} records; ${kills.troubles.length} troubles after one cleanup\n`,
  );
}
process.stderr.write(troubles.map((trouble) => `${trouble}\n`).join(''));
process.exit(troubles.length === 0 ? 0 : 1);

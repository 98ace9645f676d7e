import { Argument } from 'commander';
import { createCommand } from '../../cli/command.ts';
import { commandLine, positiveInteger } from '../command.ts';
import { table } from '../page.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviours, type Groups, loads, senders } from './behaviours/all.ts';
import { killRuns } from './kills.ts';
import { type Tried, tryClient } from './try-client.ts';
import { type SuiteTried, trySuite } from './try-suite.ts';
import { wholeRun } from './whole-run.ts';

const command = commandLine(
  createCommand(
    'hostile',
    '[client | suite | kills | memory …]',
    'Tries hostile servers, kills and floods, and prints a table of each. Ends with 1 if something did not hold.',
  )
    .addArgument(
      new Argument('[parts...]', 'what to try; everything by default').choices(['client', 'suite', 'kills', 'memory']),
    )
    .option(
      '--every <n>',
      'run the suite only for every nth behaviour, and kill only at every nth point',
      positiveInteger,
      1,
    ),
);
const everyNth = command.opts<{ every: number }>().every;
const has = (part: string): boolean => command.args.length === 0 || command.args.includes(part);
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
const troubles: string[] = [];

const put = (text: string): void => {
  process.stdout.write(`${text}\n\n`);
};

/** Tries every nth behaviour, `atOnce` at a time. Resolves with the results by group. */
async function tryEach<T extends { readonly troubles: readonly string[] }>(
  what: string,
  groups: Groups,
  { atOnce, nth }: { atOnce: number; nth: number },
  attempt: (behaviour: Behaviour) => Promise<T>,
): Promise<Map<string, T[]>> {
  const results = new Map(Object.keys(groups).map((group) => [group, [] as T[]]));
  const queue = Object.entries(groups)
    .flatMap(([group, all]) => Object.entries(all).map(([name, behave]) => ({ group, name, behave })))
    .filter((_, index) => index % nth === 0);
  const all = queue.length;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { group, name, behave } = next;
      const result = await attempt(behave);
      results.get(group)?.push(result);
      troubles.push(...result.troubles.map((trouble) => `${what}, ${group}: ${name}: ${trouble}`));
      if ((all - queue.length) % 20 === 0) {
        say(`${what}: ${all - queue.length} of ${all}`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

const counted = (words: readonly string[]): string =>
  [...Map.groupBy(words, (word) => word)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([word, all]) => `${all.length} ${word}`)
    .join(', ');

function kindOf(outcome: string): string {
  if (/^\d+$/.test(outcome)) {
    return 'accepted';
  }
  return outcome.startsWith('Inconclusive') ? 'limited' : outcome;
}

function clientTable(results: ReadonlyMap<string, readonly Tried[]>): string {
  const rows = [...results].map(([group, tried]) => [
    group,
    String(tried.length),
    counted(tried.flatMap(({ outcomes }) => outcomes.map(kindOf))),
    String(tried.filter((one) => one.troubles.length > 0).length),
  ]);
  return `## The client\n\nTwo reads and a write for each behaviour. An answer is accepted, or the call fails with one of the documented kinds, in time.\n\n${table(['What is abused', 'Behaviours', 'Calls', 'Did not hold'], rows)}`;
}

function suiteTable(results: ReadonlyMap<string, readonly SuiteTried[]>): string {
  const rows = [...results].map(([group, tried]) => [
    group,
    String(tried.length),
    counted(tried.map(({ code }) => `with ${code}`)),
    mebibytes(Math.max(...tried.map(({ memory }) => memory))),
    `${Math.max(...tried.map(({ seconds }) => seconds)).toFixed(0)} s`,
    String(tried.filter((one) => one.troubles.length > 0).length),
  ]);
  return `## Runs\n\n\`npm test -- -t 'developer.(auth|envelope|keys|ads|errors)'\` for ${everyNth === 1 ? 'each behaviour' : `every ${everyNth}th behaviour`}, instead of every second answer, \`npm test -- -t 'workspace.(webhooks|events|bookings|responses)'\` for attacks on the receiver of webhooks, and complete runs of both APIs with EXHAUST=all for documents. The exit status agrees with the reports, and these are well-formed, show no key and contain no active content. Memory is that of the process tree.\n\n${table(['What is abused', 'Runs', 'Ended', 'Most memory', 'Longest', 'Did not hold'], rows)}`;
}

if (has('client')) {
  put(clientTable(await tryEach('client', { ...behaviours, ...loads }, { atOnce: 4, nth: 1 }, tryClient)));
}
if (has('suite')) {
  const parts = [
    [behaviours, 'developer'],
    [senders, 'webhooks'],
    [loads, 'all'],
  ] as const;
  const results = new Map<string, readonly SuiteTried[]>();
  for (const [groups, scope] of parts) {
    // One complete run at a time, since its memory is measured.
    const many = { atOnce: scope === 'all' ? 1 : 2, nth: everyNth };
    for (const [group, tried] of await tryEach('suite', groups, many, (behave) => trySuite(behave, scope))) {
      results.set(group, tried);
    }
  }
  put(suiteTable(results));
}
if (has('kills')) {
  const kills = await killRuns(say, everyNth);
  troubles.push(...kills.troubles);
  put(
    `## Kills\n\n${kills.killed} of ${kills.tried} runs were ended by SIGKILL, each after another number of creations; they left ${kills.made} records. After one \`npm run cleanup\`, there were ${kills.troubles.length} problems: records left, other records harmed, or error messages. A second one said that there is nothing to do.`,
  );
}
if (has('memory')) {
  const runs = { 'EXHAUST=all with an enterprise key': {}, 'EXHAUST=own': { EXHAUST: 'own', ENTERPRISE_API_KEY: '' } };
  const rows: string[][] = [];
  for (const [name, env] of Object.entries(runs)) {
    const { code, memory, seconds } = await wholeRun(env);
    rows.push([name, mebibytes(memory), `${seconds.toFixed(0)} s`, String(code)]);
  }
  put(
    `## Memory\n\nThe most memory that the process tree had during complete runs of both suites, against the reference deployment in another process with a clock 60 times as fast.\n\n${table(['Run', 'Most memory', 'Took', 'Exit status'], rows)}`,
  );
}
for (const trouble of troubles) {
  say(trouble);
}
process.exit(troubles.length === 0 ? 0 : 1);

import { findK6 } from '../load/runner/find-k6.ts';
import { carryOut, createCommand, parseCommand } from './command.ts';

/** `npm run k6`: ends with 0 and the path of k6, or with 2 and the reason. */
async function run(argv: readonly string[]): Promise<number> {
  const command = createCommand(
    'k6',
    '',
    'Finds or builds the k6 that the load scripts use, and prints its path. For CI, before tests need it.',
  );
  if (parseCommand(command, argv) === null) {
    return 0;
  }
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const { path, version } = await findK6({ env: process.env, say });
  process.stdout.write(`k6 ${version}: ${path}\n`);
  return 0;
}

await carryOut(() => run(process.argv.slice(2)));

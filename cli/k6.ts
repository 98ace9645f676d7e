import { findK6 } from '../load/runner/find-k6.ts';
import { carryOut, createCommand, say } from './command.ts';

/** `npm run k6`: prints the path of k6 and ends with 0, or prints the reason and ends with 2. */
await carryOut(
  createCommand(
    'k6',
    '',
    'Finds or builds the k6 that the load scripts use, and prints its path. For CI, before tests need it.',
  ),
  async () => {
    const { path, version } = await findK6({ env: process.env, say });
    process.stdout.write(`k6 ${version}: ${path}\n`);
    return 0;
  },
);

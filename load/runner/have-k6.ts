// `npm run k6`: finds or builds the k6 that the load scripts use, and prints its path. For CI, before tests need it.
import { CannotRun } from '../../common/cannot-run.ts';
import { findK6 } from './find-k6.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

process.exit(
  await findK6({ env: process.env, say }).then(
    ({ path, version }) => {
      process.stdout.write(`k6 ${version}: ${path}\n`);
      return 0;
    },
    (error: unknown) => {
      say(error instanceof CannotRun ? error.message : String(error));
      return 2;
    },
  ),
);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import { canDelete } from '../../suites/records/collections.ts';
import { makeFolder, removeFolder, runScript } from './run-suite.ts';

/** The results of killing real runs, each at another point. */
interface Kills {
  readonly tried: number;
  /** How many of them had not ended before. */
  readonly killed: number;
  /** How many records existed when the runs ended. */
  readonly made: number;
  /** One sentence for each problem. */
  readonly troubles: readonly string[];
}

const points = 60;
/** Most of the lines that a run writes into its ledger, one for each record that it creates. */
const mostLines = 90;

/**
 * Kills runs at 60 points of their creations, or at every nth of these, cleans up after each, and checks the
 * deployment.
 */
export async function killRuns(nth: number): Promise<Kills> {
  const troubles: string[] = [];
  let made = 0;
  let tried = 0;
  let killed = 0;
  for (let point = 0; point < points; point += nth) {
    const lines = Math.round((mostLines * point) / points);
    const outcome = await killAt(lines);
    tried += 1;
    killed += outcome.isKilled ? 1 : 0;
    made += outcome.made;
    troubles.push(...outcome.troubles.map((trouble) => `killed at line ${lines} of its ledger: ${trouble}`));
  }
  return { tried, killed, made, troubles };
}

async function killAt(lines: number): Promise<{ isKilled: boolean; made: number; troubles: string[] }> {
  const reference = createReference({ seed: 5, clockSpeed: 600 });
  const { urls, close } = await listen(reference);
  const env = { ...urls, ...reference.settings, CLOCK_SPEED: '600', WRITES: 'all' };
  const cwd = makeFolder();
  try {
    const args = ['-t', 'developer.(auth|scopes|keys|sandbox)|workspace.(agents|webhooks|events|bookings|auth)'];
    const { signal } = await runScript('cli/test.ts', {
      args,
      env,
      cwd,
      mostSeconds: 120,
      onStart: (kill) => killWhen(cwd, lines, kill),
    });
    const made = deletable(reference).length;
    const first = await runScript('cli/cleanup.ts', { env, cwd, mostSeconds: 120 });
    const second = await runScript('cli/cleanup.ts', { env, cwd, mostSeconds: 60 });
    return {
      isKilled: signal === 'SIGKILL',
      made,
      troubles: [
        ...(first.code === 0 ? [] : [`cleanup ended with ${first.code}: ${first.console}`]),
        ...(second.code === 0 && /nothing to do/i.test(second.console) ? [] : [`cleanup again: ${second.console}`]),
        ...deletable(reference).map((thing) => `left: ${thing}`),
        ...[...reference.developer.notes(), ...reference.workspace.notes()].map((thing) => `harmed: ${thing}`),
      ],
    };
  } finally {
    await close();
    removeFolder(cwd);
  }
}

/** Kills a run as soon as its ledgers have more than `lines` lines, unless it ends before. */
function killWhen(cwd: string, lines: number, kill: () => void): void {
  const folder = join(cwd, '.ledger');
  const until = performance.now() + 60_000;
  const poll = (): void => {
    if (linesIn(folder) > lines) {
      kill();
    } else if (performance.now() < until) {
      setTimeout(poll, 2);
    }
  };
  poll();
}

/** The number of lines in all ledgers. 0 if a ledger is deleted at this moment, as those without open entries are. */
function linesIn(folder: string): number {
  try {
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    return files.join('').split('\n').length - 1;
  } catch {
    return 0;
  }
}

/** The records that calls created and the API can delete. */
const deletable = ({ developer, workspace }: Reference): string[] =>
  [...developer.made(), ...workspace.made()]
    .filter(({ collection }) => canDelete(collection))
    .map(({ collection, id }) => `${collection}/${id}`);

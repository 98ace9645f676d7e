import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReference } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import { canDelete } from '../../suites/shared/collections.ts';
import { makeFolder, removeFolder, runScript } from './run-suite.ts';

/** What came of killing real runs, each at another point. */
interface Kills {
  readonly tried: number;
  /** Those of them that had not come to their end before. */
  readonly killed: number;
  /** Things that the runs had made when they were killed. */
  readonly made: number;
  /** Sentences on what did not come out as it should. */
  readonly troubles: readonly string[];
}

const points = 60;
/** Most of a run's lines in the ledger; they come with each thing that it makes. */
const mostLines = 90;

/** Kills runs at points spread over what they create (`nth`: every nth of 60), cleans up once after each, and looks at the deployment. */
export async function killRuns(say: (line: string) => void, nth = 1): Promise<Kills> {
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
    say(`kill ${point + 1} of ${points}: ${outcome.made} things made, ${outcome.troubles.length} troubles`);
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
    const made = standing(reference).length;
    const first = await runScript('cli/cleanup.ts', { env, cwd, mostSeconds: 120 });
    const second = await runScript('cli/cleanup.ts', { env, cwd, mostSeconds: 60 });
    return {
      isKilled: signal === 'SIGKILL',
      made,
      troubles: [
        ...(first.code === 0 ? [] : [`cleanup ended with ${first.code}: ${first.console}`]),
        ...(second.code === 0 && /nothing to do/i.test(second.console) ? [] : [`cleanup again: ${second.console}`]),
        ...standing(reference).map((thing) => `left: ${thing}`),
        ...[...reference.developer.notes(), ...reference.workspace.notes()].map((thing) => `harmed: ${thing}`),
      ],
    };
  } finally {
    await close();
    removeFolder(cwd);
  }
}

/** Kills as soon as the ledgers hold so many lines; what comes to its end before is not killed. */
function killWhen(cwd: string, lines: number, kill: () => void): void {
  const folder = join(cwd, '.ledger');
  const until = performance.now() + 60_000;
  const look = (): void => {
    if (linesIn(folder) > lines) {
      kill();
    } else if (performance.now() < until) {
      setTimeout(look, 2);
    }
  };
  look();
}

/** A ledger in which nothing is open is deleted, maybe just now. */
function linesIn(folder: string): number {
  try {
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    return files.join('').split('\n').length - 1;
  } catch {
    return 0;
  }
}

/** What the runs made and the API can delete. */
const standing = ({ developer, workspace }: Reference): string[] =>
  [...developer.made(), ...workspace.made()]
    .filter(({ collection }) => canDelete(collection))
    .map(({ collection, id }) => `${collection}/${id}`);
